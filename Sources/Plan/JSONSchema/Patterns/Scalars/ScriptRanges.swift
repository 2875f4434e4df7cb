/// Which code points belong to which script: data of Unicode 17, as Python's module `regex` 2026.5.9 knows it.
///
/// Generated. A record a script: its names, its code points (Script), and if they differ those that it is used with
/// (Script_Extensions). Each range is the distance from the end of the one before and, after a hyphen, its length
/// less one, to base 36.
enum ScriptRanges {
    static let records = """
        Adlam|Adlm 2olc-23,5-9,5-1 17j,x,55b,2r6,2fgf-23,5-9,5-1;Ahom 1j40-q,3-e,5-m;Anatolian_Hieroglyphs|Hluw 1s00\
        -g6;Arabic|Arab 16o-4,2-5,2-d,2-2,2-v,2-9,c-p,2-2z,2-x,29-1b,6p-x,6-22,2-s,1bv5-dp,3-3z,x-f,35-4,2-3q,31g-u,\
        1w-5,9-8,y-5,181t-3,2-q,2-1,2,3,2-9,2-3,2,2,7,5,2,2,2-2,2-1,2,3,2,2,2,2,2-1,2,3-3,2-6,2-3,2-3,2,2-9,2-g,6-2,\
        2-4,2-g,1h-1 16o-4,2-5y,2-x,29-1b,6p-x,6-22,2-s,4ls,2r6,14i7-hr,x-f,35-4,2-3q,ro-r,291-u,1w-5,9-8,y-5,181t-3\
        ,2-q,2-1,2,3,2-9,2-3,2,2,7,5,2,2,2-2,2-1,2,3,2,2,2,2,2-1,2,3-3,2-6,2-3,2-3,2,2-9,2-g,6-2,2-4,2-g,1h-1;Armeni\
        an|Armn 10x-11,3-1d,3-2,1chw-4 lk,fd-11,3-1d,3-2,1chw-4;Avestan|Avst 1gqo-1h,4-6 53,8zd-1,17m7-1h,4-6;Baline\
        se|Bali 5c0-24,2-1d;Bamum|Bamu www-2f,124p-fs;Bassa_Vah|Bass 1zo0-t,3-5;Batak|Batk 5hc-1f,9-3;Bengali|Beng 1\
        vk-3,2-7,3-1,3-l,2-6,2,4-3,3-8,3-1,3-3,9,5-1,2-4,3-o jg,1at-1,i-1,r-3,2-7,3-1,3-l,2-6,2,4-3,3-8,3-1,3-3,9,5-\
        1,2-4,3-o,3pu,2,3-1,2,9,9,3,5,3-2,rne;Beria_Erfe|Berf 20f4-o,3-o;Bhaiksuki|Bhks 1k3k-8,2-18,2-d,b-s;Bopomofo\
        |Bopo kq-1,93u-16,35-v jr,2-2,e,h-1,8wm-2,5-9,2-c,b-3,3,7,5g,a-16,35-v,14ee-1,7v-4;Brahmi|Brah 1hq8-25,5-z,a\
        ;Braille|Brai 7wg-73;Buginese|Bugi 54w-r,3-1 54w-r,3-1,sds;Buhid|Buhd 4lc-j 4l1-1,a-j;Canadian_Aboriginal|Ca\
        ns 3y8-hr,fl-1x,1ewr-f;Carian|Cari 1f34-1c 53,68z,3,2qc,15yn-1c;Caucasian_Albanian|Aghb 1flc-1f,c lg,19,19,1\
        exe-1f,c;Chakma|Cakm 1hxc-1g,2-h 1ye-9,18x-9,1epj-1g,2-h;Cham xkw-1i,a-d,3-9,3-3;Cherokee|Cher 3vk-2d,3-5,tw\
        z-27 lc-2,2,7-1,n-1,c-1,38v-2d,3-5,twz-27;Chorasmian|Chrs 1ho0-r;Common|Zyyy 0-1s,r-5,r-1a,2-e,2-4,o,w,ci-12\
        ,6-4,3-j,39,a,7,2,hq,7,f,4,x,4d,ed,3m-1,yi,ba-3,83,168-2,20-1,5o-1,2,y6,e,8-3,2-5,2-2,3,li-b,3-2e,2-a,4-a,2-\
        e,i-x,1r-11,2-2,3-5,2-q,2-g,16-2,5-ih,n-a,m-pr,75-hf,3-3t,e9-2l,b7-k,2,2-o,g-7,5-3,2k-1,4,2j-1,44-f,x-11,a,1\
        d-1r,w-28,1c,2h-4n,535-1r,hkx-x,2v-2,4m-9,6t,4h,b0,f-1,g5v-1,5t-9,n-y,2-i,2-3,44,2-v,r-5,r-a,b,1a-1,1t-6,2-6\
        ,b-4,77-2,5-18,4-8,29-c,1g-18,6d-q,10o5-3,319-70,4-c3,7-m,g-g,2o-37,1p-6t,b-12,3-1p,4-g,9-1,8-t,5-1o,5y-j,d-\
        j,d-2e,a-o,3s-2c,2-1y,2-1,3,3-1,3-3,2-b,2,2-6,2-1s,2-3,3-7,2-6,2-r,2-3,2-4,2,4-6,2-9f,3-83,3-1d,41e-1v,25-1o\
        ,jn-17,5-2r,d-e,3-e,2-e,2-10,b-4t,1l-p,2-1,e-17,5-8,8-1,f-5,4b-rc,4-g,4-c,4-61,7-b,5,g-b,5-1j,9-9,7-13,9-t,3\
        -b,5-1,f-8,14-9j,9-d,3-c,4-a,4-1k,2,5-f,3-b,5-9,8-42,2-2u,gvlz,v-2n 0-1s,r-5,r-1a,2-b,2-1,2-4,o,w,ci-2,2-9,2\
        ,4,2-8,2,2-5,6-4,3-j,3j,7,2,hq,60,ed,125,ba-3,36w-b,3-w,2-u,2-9,2-1,2-6,2-a,4-a,2-e,i-x,1r-11,2-2,3-5,2-q,2-\
        g,16-2,5-ih,n-a,m-pr,75-hf,3-3t,e9-m,2-n,3-9,2-3,2,2-p,bn,4,e,e,m,eq-n,w,1e-e,d-3,4i-9,6-2n,w,535-1r,hl5-p,2\
        v-2,r5,f-1,gbp-9,n-k,3-b,2-i,2-3,44,2-v,r-5,r-5,3k-6,2-6,b-4,b7-c,1g-18,13wk-70,4-c3,7-m,g-g,2o-37,1p-6t,b-1\
        2,3-1p,4-g,9-1,8-t,5-1o,5y-j,d-j,d-2e,s-6,3s-2c,2-1y,2-1,3,3-1,3-3,2-b,2,2-6,2-1s,2-3,3-7,2-6,2-r,2-3,2-4,2,\
        4-6,2-9f,3-83,3-1d,41e-1v,25-1o,jn-17,5-2r,d-e,3-e,2-e,2-10,b-4t,1l-p,2-1,e-17,5-8,o-5,4b-rc,4-g,4-c,4-61,7-\
        b,5,g-b,5-1j,9-9,7-13,9-t,3-b,5-1,f-8,14-9j,9-d,3-c,4-a,4-1k,2,5-f,3-b,5-9,8-42,2-2u,gvlz,v-2n;Coptic|Copt|Q\
        aac rm-d,80h-37,6-6 53,g9,4-1,2,31-1,31-d,80h-37,6-6,7s,1615-r;Cuneiform|Xsux 1kw0-pl,2v-32,2-4,c-5f;Cypriot\
        |Cprt 1g5c-5,3,2-17,2-1,4,3 1erk-2,5-18,4-8,1c1-5,3,2-17,2-1,4,3;Cypro_Minoan|Cpmn 1nyo-2q 1erk-1,973-2q;Cyr\
        illic|Cyrl sg-3o,3-4o,4lt-a,4h,25,38o-v,nr5-2n,han-1,18n5-1p,y jg,1w-2,2,2,2,3,6,6n-8f,4lt-a,4h,25,3k,354-v,\
        1w,np9-2n,han-1,18n5-1p,y;Deseret|Dsrt 1fcw-27;Devanagari|Deva 1s0-28,5-e,3-p,vhd-v,mip-9 jg,18k-2a,3-16,3td\
        -12,2-1,s7,qps-9,4n-v,mip-9;Dives_Akuru|Diak 1ji8-6,3,3-7,2-1,2-t,2-1,3-b,a-9;Dogra|Dogr 1jb4-1n 1us-b,vcx-9\
        ,m2v-1n;Duployan|Dupl 2fpc-2y,6-c,4-8,8-9,3-3 53,gg-1,2,p-1,8ig,26kk-2y,6-c,4-8,8-9,3-7;Egyptian_Hieroglyphs\
        |Egyp 1o1s-ut,b-32y;Elbasan|Elba 1fk0-13 53,ge,1eyj-13;Elymaic|Elym 1hpc-m;Ethiopic|Ethi 3k0-20,2-3,3-6,2,2-\
        3,3-14,2-3,3-w,2-3,3-6,2,2-3,3-e,2-1k,2-3,3-1u,3-v,4-p,547-m,a-6,2-6,2-6,2-6,2-6,2-6,2-6,2-6,opv-5,3-5,3-5,a\
        -6,2-6,1qk2-6,2-3,2-1,2-e lq,2ya-20,2-3,3-6,2,2-3,3-14,2-3,3-w,2-3,3-6,2,2-3,3-e,2-1k,2-3,3-1u,3-v,4-p,547-m\
        ,a-6,2-6,2-6,2-6,2-6,2-6,2-6,2-6,opv-5,3-5,3-5,a-6,2-6,1qk2-6,2-3,2-1,2-e;Garay|Gara 1h6o-11,4-s,9-1 170,f,4\
        ,1fz5-11,4-s,9-1;Georgian|Geor 3a8-11,2,6,3-16,2-3,2a9-16,3-2,37l-11,2,6 53,ya,26v-11,2,6,3-1b,2a9-16,3-2,pn\
        ,2hy-11,2,6,78;Glagolitic|Glag 8ow-2n,2e1t-6,2-g,3-6,2-1,2-4 53,gc,2,an,3,76,29e,31b,2au-2n,dg,nqk,1pxt-6,2-\
        g,3-6,2-1,2-4;Gothic|Goth 1f74-q 53,gd-1,3,15,1ekf-q;Grantha|Gran 1ibk-3,2-7,3-1,3-l,2-6,2-1,2-4,3-8,3-1,3-2\
        ,3,7,6-6,3-6,4-4 1u9-1,i-1,ht-d,3bx,2-1,v-2,4-1,s7,1btc-3,2-7,3-1,3-l,2-6,2-1,2-4,2-9,3-1,3-2,3,7,6-6,3-6,4-\
        4,2fw-1,2;Greek|Grek og-3,2-2,3-3,2,5,2,2-2,2,2-j,2-1q,f-f,4yv-4,1f-4,5-4,2d,8x-l,3-5,3-11,3-5,3-7,2,2,2,2-u\
        ,3-1g,2-e,2-d,3-5,2-i,3-2,2-8,88,rb3,gyj-26,i,155s-1x 53,g9-1,3,2,2,b,1b,3,17-7,3-3,2,5,2,2-2,2,2-j,2-1q,f-f\
        ,4yv-4,1f-4,5-4,2d-2,8v-l,3-5,3-11,3-5,3-7,2,2,2,2-u,3-1g,2-e,2-d,3-5,2-i,3-2,2-8,2n,5l,rb3,gyj-26,i,155s-1x\
        ;Gujarati|Gujr 22p-2,2-8,2-2,2-l,2-6,2-1,2-4,3-9,2-2,2-2,3,g-3,3-b,8-6 1u9-1,i-1,7w-2,2-8,2-2,2-l,2-6,2-1,2-\
        4,3-9,2-2,2-2,3,g-3,3-b,8-6,v1t-9;Gunjala_Gondi|Gong 1kdc-5,2-1,2-10,2-1,2-5,8-9 53,1pp-1,1iij-5,2-1,2-10,2-\
        1,2-5,8-9;Gurmukhi|Guru 1z5-2,2-5,5-1,3-l,2-6,2-1,2-1,2-1,3,2-4,5-1,3-2,4,8-3,2,8-g 1u9-1,i-1,4c-2,2-5,5-1,3\
        -l,2-6,2-1,2-1,2-1,3,2-4,5-1,3-2,4,8-3,2,8-g,v5m-9;Gurung_Khema|Gukh 1xq8-1l 1ut,1vvf-1l;Han|Hani 96o-p,2-2g\
        ,d-5x,1c,2,q-8,f-3,qt-533,1t-g73,hkx-a5,3-2x,n49-1,d-6,sga-wyn,x-3dp,3-4gd,3-5rk,g-h9,1wj-f1,15v-3t6,6-6jt 5\
        3,91l-p,2-2g,d-5x,r-f,2-2,2-c,2-c,2-c,3,7-8,58,45-f,x-11,a,1d-13,1l-1c,g-b,1g,2h-o,b-4,2p-u,2-533,1t-g73,1dt\
        -7,g6x-a5,3-2x,oc-1,7v-4,m7x-1,d-6,jmy-h,63j-1,2pb-wyn,x-3dp,3-4gd,3-5rk,g-h9,1wj-f1,15v-3t6,6-6jt;Hangul|Ha\
        ng 3cw-73,5yn-1,76-2l,36-u,1u-u,nhe-s,hw-8mb,d-m,5-1c,7tx-u,4-5,3-5,3-5,3-2 3cw-73,5xe-2,5-9,2-c,f-2,7,5g,1i\
        -2l,36-u,1u-u,nhe-s,hw-8mb,d-m,5-1c,7ka-1,7v-4,1n-u,4-5,3-5,3-5,3-2;Hanifi_Rohingya|Rohg 1h4w-13,9-9 170,f,4\
        ,x,44,1fsc-13,9-9;Hanunoo|Hano 4kg-k 4kg-m;Hatran|Hatr 1gbk-i,2-1,6-4;Hebrew|Hebr 13l-1i,9-q,5-5,1cfd-p,2-4,\
        2,2-1,2-1,2-9 lj-1,i1-1i,9-q,5-5,1cfd-p,2-4,2,2-1,2-1,2-9;Hiragana|Hira 9j5-2d,7-2,23qa-7y,j,u-2,cry 9hd-2,5\
        -9,2-c,h-5,2,5-1,4-2d,3-7,2j-1,14jt-1,7v-4,b,1a-1,yua-7y,j,u-2,cry;Imperial_Aramaic|Armi 1g74-l,2-8;Inherite\
        d|Zinh|Qaai lc-33,7q-1,cl-a,r,kh-3,3fg-19,3-b,dh-2,2-c,2-6,5,7,4-1,5j-1r,el-1,5f-w,30a-3,30-1,14km-f,h-d,r4,\
        6b,38b,1139-19,3-m,f5-2,i-7,3-6,v-3,h45v-6n lr,3,2-e,4-6,3,3-f,2-1,2-h,2-4,2-3,169-1,3fg-19,3-b,k7-1h,2,2-4,\
        el-1,5f-v,17o1-f,h-d,r4,14hv-19,3-m,f5-2,i-7,3-6,v-3,h45v-6n;Inscriptional_Pahlavi|Phli 1gtc-i,6-7;Inscripti\
        onal_Parthian|Prti 1gsg-l,3-7;Javanese|Java xhc-25,3-9,5-1 xhc-25,2-a,5-1;Kaithi|Kthi 1hts-1u,b 1uu-9,79e,o3\
        j-9,klj-1u,b;Kannada|Knda 2gw-c,2-2,2-m,2-9,2-4,3-8,2-2,2-3,8-1,6-2,2-3,3-9,2-2 1u9-1,i-1,m3-c,2-2,2-m,2-9,2\
        -4,3-8,2-2,2-3,8-1,6-2,2-3,3-9,2-2,34t,2-1,7,o,2,ri4-5;Katakana|Kana 9lt-2h,3-2,6p-f,5t-1a,2-2f,14b3-9,2-18,\
        ytv-3,2-6,2-1,2,80-2,1f,f-3 lh,u,8v2-2,5-9,2-c,h-5,2,5-1,2k-3,4-2n,6p-f,5t-1a,2-2f,1432-1,7v-1q,ytt-3,2-6,2-\
        1,2,80-2,1f,f-3;Kawi 1kow-g,2-14,4-s;Kayah_Li|Kali xds-19,2 xds-1b;Kharoshthi|Khar 1gjk-3,2-1,6-7,2-2,2-s,3-\
        2,5-9,8-8;Khitan_Small_Script|Kits 20o4,5cs-d1,16;Khmer|Khmr 4n4-2l,3-9,7-9,dj-v;Khojki|Khoj 1i4g-h,2-1a 25i\
        -9,v29-9,kw7-h,2-1a;Khudawadi|Sind 1i9c-1m,6-9 1us-1,vd7-9,l13-1m,6-9;Kirat_Rai|Krai 205c-1l;Lao|Laoo 2v5-1,\
        2,2-4,2-n,2,2-m,3-4,2,2-6,2-9,3-3;Latin|Latn 1t-p,7-p,1c,g,6-m,2-u,2-cg,14-4,55o-11,7-1c,6-3,6-c,2-1x,1u-73,\
        aa,e,h-c,3y-1,7,s,i-14,254-v,o83-2t,4-29,l-e,mp-16,2-8,2-3,fpz-6,t7-p,7-p,1ly-5,2-15,2-8,16iu-u,7-5 1t-p,7-p\
        ,1c,d,3,6-m,2-u,2-cg,4,b,2-2,2,a,2,7-4,s-e,2-1,2,g-2,8-1,2-1,13,6,5-c,7q-1,y3-1,1ih,2dh-11,7-1c,6-3,6-c,2-1x\
        ,1m,8-73,8g,1u,e,h-c,2c,1m-1,7,s,i-14,254-v,bc,nvt-7,r-2t,4-29,l-e,8f,ea-16,2-8,2-3,fpz-6,t7-p,7-p,1ly-5,2-1\
        5,2-8,16iu-u,7-5;Lepcha|Lepc 5j4-1j,4-e,4-2;Limbu|Limb 4xs-u,2-b,5-b,5,4-b 1ut,32z-u,2-b,5-b,5,4-b;Linear_A|\
        Lina 1fr4-8m,a-l,b-7 1err-18,y5-8m,a-l,b-7;Linear_B|Linb 1ekg-b,2-p,2-i,2-1,2-e,3-d,z-3e 1ekg-b,2-p,2-i,2-1,\
        2-e,3-d,z-3e,6-2,5-18,4-8;Lisu wk0-1b,o8h jg,h,8xp-1,n2d-1b,o8h;Lycian|Lyci 1f28-s 6e2,18o6-s;Lydian|Lydi 1g\
        dc-p,6 53,8ze,178v-p,6;Mahajani|Mahj 1hzk-12 53,1pp-b,vcx-9,krb-12;Makasar|Maka 1ko0-o;Malayalam|Mlym 2kg-c,\
        2-2,2-1e,2-2,2-5,5-f,3-p 1u9-1,i-1,pn-c,2-2,2-1e,2-2,2-5,5-f,3-p,317,o,ri6-2;Mandaic|Mand 1mo-r,3 18g,e8-r,3\
        ;Manichaean|Mani 1gow-12,5-b 18g,1fgg-12,5-b;Marchen|Marc 1k6o-v,3-l,2-d;Masaram_Gondi|Gonm 1kao-6,2-1,2-17,\
        4,2-1,2-8,9-9 1us-1,1ifv-6,2-1,2-17,4,2-1,2-8,9-9;Medefaidrin|Medf 20cg-2i;Meetei_Mayek|Mtei xr4-m,5m-19,3-9\
        ;Mende_Kikakui|Mend 2oe8-5g,3-f;Meroitic_Cursive|Merc 1ggw-n,5-j,3-19;Meroitic_Hieroglyphs|Mero 1gg0-v 6e5,1\
        a1v-v;Miao|Plrd 20hs-22,5-1k,8-g;Modi 1iww-1w,c-9 x80-9,lon-1w,c-9;Mongolian|Mong 4qo-1,3,2-j,7-2g,8-16,1e46\
        -c 4qo-p,7-2g,8-16,1hh,34i-1,6-3,19hx-c;Mro|Mroo 1zk0-u,2-9,5-1;Multani|Mult 1i80-6,2,2-3,2-e,2-a 21y-9,1g5t\
        -6,2,2-3,2-e,2-a;Myanmar|Mymr 35s-4f,u9t-u,2q-v,le9-j 35s-4f,u4v,4y-u,2q-v,le9-j;Nabataean|Nbat 1g8w-u,9-8;N\
        ag_Mundari|Nagm 2nrk-15;Nandinagari|Nand 1jmo-7,3-19,3-a 1u9,j-1,ox-9,35m,9,8,rhy-5,mej-7,3-19,3-a;New_Tai_L\
        ue|Talu 51c-17,5-p,7-a,4-1;Newa 1iio-2j,2-4 1u9-1,3ur,2-1,a,7,2,2,1csz-2j,2-4;Nko|Nkoo 1j4-1m,3-2 170,f,4,bl\
        -1m,3-2,1cfz-1;Nushu|Nshu 20o1,cy7-az;Nyiakeng_Puachue_Hmong|Hmnp 2n0g-18,4-d,3-9,5-1;Ogham|Ogam 4g0-s;Ol_Ch\
        iki|Olck 5lc-1b;Ol_Onal|Onao 2nyo-16,5 1us-1,2m3v-16,5;Old_Hungarian|Hung 1h1c-1e,e-1e,8-5 6e2,3,2qc,g,17wf-\
        1e,e-1e,8-5;Old_Italic|Ital 1f5s-z,a-2;Old_North_Arabian|Narb 1gn4-v;Old_Permic|Perm 1f80-16 53,g9,6-2,b,a8,\
        1ebx-16;Old_Persian|Xpeo 1fa8-z,5-d;Old_Sogdian|Sogo 1hj4-13;Old_South_Arabian|Sarb 1gm8-v;Old_Turkic|Orkh 1\
        gxs-20 6e2,2qe,17tc-20;Old_Uyghur|Ougr 1hm8-p 18g,1fhu,vy-p;Oriya|Orya 269-2,2-7,3-1,3-l,2-6,2-1,2-4,3-8,3-1\
        ,3-2,8-2,5-1,2-4,3-h 1u9-1,i-1,bg-2,2-7,3-1,3-l,2-6,2-1,2-4,3-8,3-1,3-2,8-2,5-1,2-4,3-h,3fn,o;Osage|Osge 1fh\
        s-z,5-z ld,3,7,25,1eu0-z,5-z;Osmanya|Osma 1fgg-t,3-9;Pahawh_Hmong|Hmng 1zpc-1x,b-9,2-6,2-k,6-i;Palmyrene|Pal\
        m 1g80-v;Pau_Cin_Hau|Pauc 1juo-1k;Phags_Pa|Phag x8g-1j 4qq-1,2,1m2,34j,nr2-1j;Phoenician|Phnx 1gcg-r,4;Psalt\
        er_Pahlavi|Phlp 1gu8-h,8-3,d-6 18g,1fls-h,8-3,d-6;Rejang|Rjng xf4-z,c;Runic|Runr 4gw-22,4-a 4gw-2g;Samaritan\
        |Samr 1kw-19,3-e 1kw-19,3-e,7hv;Saurashtra|Saur xa8-1x,9-b;Sharada|Shrd 1i0w-2n,1vl-7 1u9,3uu,2,3-1,3,a,3,ri\
        b-5,3,kso-2n,1vl-7;Shavian|Shaw 1ff4-1b 53,1fa1-1b;Siddham|Sidd 1itc-1h,3-11;Sidetic|Sidt 1ge8-p;SignWriting\
        |Sgnw 2l8g-i3,g-4,2-e;Sinhala|Sinh 2o1-2,2-h,4-n,2-8,2,3-6,4,5-5,2,2-7,7-9,3-2,1fcd-j 1us-1,t8-2,2-h,4-n,2-8\
        ,2,3-6,4,5-5,2,2-7,7-9,3-2,2ym,1cdr-j;Sogdian|Sogd 1hkg-15 18g,1gc0-15;Sora_Sompeng|Sora 1hw0-o,8-9;Soyombo|\
        Soyo 1jrk-2a;Sundanese|Sund 5fk-1r,75-7;Sunuwar|Sunu 1k1s-x,f-9 lc-1,2,a,3,t,4,1jf3-x,f-9;Syloti_Nagri|Sylo \
        x6o-18 1us-1,3l-9,v81-18;Syriac|Syrc 1ds-d,2-1n,3-2,7l-a lf-1,3-1,2,p-2,8-1,2-1,kb,f-1,3,x,b-a,r,40-d,2-1n,3\
        -2,7l-a,49a,2;Tagalog|Tglg 4jk-l,a 4jk-l,a,m-1;Tagbanwa|Tagb 4m8-c,2-2,2-1 4l1-1,16-c,2-2,2-1;Tai_Le|Tale 50\
        0-t,3-4 lc-1,6-1,4,2lw-9,1s7-t,3-4;Tai_Tham|Lana 55s-1q,2-s,3-a,7-9,7-d;Tai_Viet|Tavt xog-1u,p-4;Tai_Yo|Tayo\
         2o5c-u,2-l,9-1;Takri|Takr 1j0g-1l,7-9 1us-1,vd7-9,ls7-1l,7-9;Tamil|Taml 29u-1,2-5,4-2,2-3,4-1,2,2-1,4-1,4-2\
        ,4-b,5-4,4-2,2-3,3,7,f-k,1ih2-1d,e 1u9-1,i-1,f1-1,2-5,4-2,2-3,4-1,2,2-1,4-1,4-2,4-b,5-4,4-2,2-3,3,7,f-k,3c0,\
        ro9,ky6,2,1k-1,2h0-1d,e;Tangsa|Tnsa 1zlc-26,2-9;Tangut|Tang 20o0,w-5bz,e9-u,2q-36 9gw-f,ds,1qsx,w-5bz,e9-u,2\
        q-36;Telugu|Telu 2dc-c,2-2,2-m,2-f,3-8,2-2,2-3,8-1,2-2,2-1,3-3,3-9,8-8 1u9-1,i-1,ij-c,2-2,2-m,2-f,3-8,2-2,2-\
        3,8-1,2-2,2-1,3-3,3-9,8-8,386-1,2,2,o;Thaana|Thaa 1hc-1d 170,f-1,3,1t-9,7r-1d,1cn5,b;Thai 2rl-1l,6-r jg,r,18\
        ,1a,24w-1l,6-r;Tibetan|Tibt 2yo-1z,2-z,5-12,2-z,2-e,2-6,5-1 2yo-1z,2-z,5-12,2-z,2-e,2-6,5-1,6cu-3;Tifinagh|T\
        fng 8xc-1j,8-1,f le,2,2-3,q,8b1-1j,8-1,f;Tirhuta|Tirh 1im8-1z,9-9 1u9-1,i-1,3u8,d,g,ri6-9,ldz-1z,9-9;Todhri|\
        Todr 1fpc-1f ld,3,3,a,2,23,1f1e-1f;Tolong_Siki|Tols 1kfk-17,5-9;Toto 2nbk-u jg,2ms4-u;Tulu_Tigalari|Tutg 1if\
        4-9,2,3,2-11,2-9,2,3,2-3,2-9,2-1,9-1 2jq-9,35v,2,ri4-5,58,l1r-9,2,3,2-11,2-9,2,3,2-3,2-9,2-1,9-1;Ugaritic|Ug\
        ar 1f9c-t,2;Unknown|Zzzz oo-1,7-3,8,2,l,b2,13-1,1f-1,4,1k-7,s-3,7-a,7j,1p-1,2u-d,1o-1,1e-1,g,t-1,2,c-4,z-4,6\
        m,9-1,3-1,n,8,2-2,5-1,a-1,3-1,5-7,2-3,3,6-1,q-1,4,7-3,3-1,n,8,3,3,3-1,2,6-3,3-1,4-2,2-6,5,2-6,i-9,4,a,4,n,8,\
        3,6-1,b,4,4-1,2-e,5-1,d-6,8,4,9-1,3-1,n,8,3,6-1,a-1,3-1,4-6,4-3,3,6-1,j-9,3,7-2,4,5-2,3,2,3-2,3-2,4-2,d-3,6-\
        2,4,5-1,2-5,2-d,m-4,e,4,o,h-1,a,4,5-6,3,4,3-1,5-1,b-6,n,4,o,b,6-1,a,4,5-6,3-4,4,5-1,b,4-b,e,4,1g,4,7-3,h-1,r\
        ,4,j-2,p,a,2-1,8-2,2-3,7,2,9-5,b-1,4-b,1n-3,u-10,3,2,6,p,2,o-1,6,2,8,b-1,5-v,21,11-3,14,11,g,e-10,5j,2-4,2-1\
        ,ai,5-1,8,2,5-1,16,5-1,y,5-1,8,2,5-1,g,1m,5-1,1w-1,x-2,r-5,2f-1,7-1,im-2,2i-6,n-8,p-8,l-b,e,4,3-b,2n-1,b-5,b\
        -5,r-5,2i-6,18-4,1z-9,w,d-3,d-3,2-2,17-1,6-a,19-3,r-5,c-2,1r-1,1u,u-1,c-5,b-5,f-1,1b-1,d-j,26,4n-7,1p-2,g-2,\
        1r-4,18-1,c-7,18-4,ev-1,7-1,13-1,7-1,9,2,2,2,w-1,1i,g,f-1,7,k-1,4,a,2u,d-1,s,e-2,z-d,y-e,3x-3,ij-l,c-k,1ed-1\
        ,an-4,1a,2-4,2-1,1l-6,3-d,p-8,8,8,8,8,8,8,8,8,3j-x,r,2i-b,5z-p,29,2f-1,2w-4,18,2n,2f-8,1d,mlq-2,1k-8,9p-j,55\
        -7,66-j,1p-2,b-5,1l-7,1z-7,d-5,39-a,v-2,27,c-3,y,1k-8,f-1,b-1,2w-n,t-9,7-1,7-1,7-8,8,8,1p-3,3j-1,b-5,8md-b,o\
        -3,1e-6ir,a7-1,2z-11,8-b,6-4,r,6,2,3,3,i3-v,17-5,1g,k,5-3,6,3s-1,2,5b-2,7-1,7-1,7-1,4-2,8,8-9,6-1,d,r,k,3,g-\
        1,f-x,3g-4,4-3,1a-2,2h,e-2,2-1a,1b-3l,u-2,1e-e,t-3,11-8,v-4,18-4,v,12-3,f-15,4f-1,b-5,11-3,11-3,15-7,1h-a,d,\
        g,8,3,c,g,8,3-2,1h-b,8o-8,n-9,9-n,7,17,a-1w,7-1,2,19,3-2,2-1,o,21-7,a-1b,k,3-4,y-2,s-4,s-11,1l-3,l-1,1f,3-4,\
        9,4,u-1,4-3,b-6,a-6,1t-v,14-3,d-8,1j-2,u-1,s-4,r-6,5-b,8-27,22-1i,1g-c,1g-6,1b-7,b-5,13-2,u-7,3-5r,w,17,4-1,\
        3-f,7-7,a-w,1b-7,17-l,r-11,t-j,o-8,27-3,11-8,1x-9,2-1,q-6,b-5,1i,j-7,14-8,2p,l-a,j,1c-1p,8,2,5,g,c-5,1o-4,b-\
        5,5,9-1,3-1,n,8,3,6,b-1,3-1,4-1,2-5,2-4,8-1,8-2,6-a,b,2-1,2,13,b,2-1,2,5,b,3-7,3-s,2l,6-t,21-7,b-4l,1j-1,13-\
        x,1y-a,b-5,e-i,1n-5,b-5,l-r,s-1,g-3,o-54,1p-2r,2c-b,9-1,2-1,9,3,v,3-1,d-8,b-1x,9-1,1b-1,c-q,21-7,2c-c,22-6,b\
        -2d,9-2f,z-d,b-5,a,1a,f-9,u-2,x-1,n,f-20,8,3,19-2,2,3,a-7,b-5,7,3,12,3,7-6,b-5,19-3,b-6t,q-6,i,16-2,u-2c,2-e\
        ,1f-c,po-2t,34,6-a,5h-217,2s-c,uv-9,330-4,g8-5a0,1n-1c5,fu-6,w,b-3,2a,b-5,v-1,7-9,1z-9,b,8,m-4,k-bz,1n-5h,2k\
        -4,q-1,q-17,24-3,1m-6,i-1r,6-a,8-8,5p3-14,x-2o,38-6po,5,8,3,84-e,2-s,4-1,2-d,5-7,b1-1s3,30-4,e-2,a-6,b-1,9-3\
        17,72-2,c5-5,o-e,i-e,1b-1,o-8,39-1n,6v-9,14-1,5f-k,1z-3d,l-b,l-b,2g-8,q-3q,2e,20,3-1,2-1,3-1,5,d,2,8,1u,5-1,\
        9,8,t,5,6,2-2,8,9h-1,85-1,jj-e,6,g-un,w-5,7-5w,8,i-1,8,3,6-4,1r-w,2-33,1a-2,f-1,b-3,3-8v,w-g,1n-4,2-cv,17-5x\
        ,18-3,2-5b,w,n-7,3-67,8,5,3,g,5i-1,h-14,25-3,b-3,3-ls,1x-23,1q-5d,5,s,3,2-1,2,b,5,2,2-5,2-3,2,2,2,4,3,2-1,2,\
        2,2,2,2,3,2-1,5,8,5,5,2,b,i-4,4,6,i-1f,3-7h,19-3,2t-b,g-1,g,g,12-9,4v-1j,u-c,19-3,a-6,3-d,7-49,re-2,i-2,e-2,\
        63-5,d-3,2-e,d-3,1l-7,b-5,15-7,v-1,d-3,3-d,a-12,9l-7,f-1,e-2,c-2,1m,2-3,h-1,d-3,b-6,44,2w-sk,wyp-v,3dr-1,4gf\
        -1,5rm-e,hb-1wh,f3-15t,3t8-4,6jv-f5vq,2-t,2p-3j,6p-47bj;Vai|Vaii wlc-8b;Vithkuqi|Vith 1fn4-a,2-e,2-6,2-1,2-a\
        ,2-e,2-6,2-1;Wancho|Wcho 2ncw-1l,6;Warang_Citi|Wara 1jfk-2a,d;Yezidi|Yezi 1hfk-15,2-2,3-1 170,f,4,1t-9,1g5z-\
        15,2-2,3-1;Yi|Yiii vls-wc,4-1i 9hd-1,6-9,3-7,68,lxh-wc,4-1i,hwb-4;Zanabazar_Square|Zanb 1jpc-1z;Extended_Pic\
        tographic|ExtPict 4p,5,68e,d,61,n,2j-5,g-1,a8-1,d,4n,q-a,5-2,5k,6g-1,b,a,1n-3,2-4,a,3,3-1,3,5,3,2-1,3,4,4-1,\
        9-2,6,2,6-b,c-1,3,2-1,2,j,3-1,j-5,2,2-1,4-1,6,3-1,5-1,c-1,6-1,3,6-1,2,2-1,l-1,6-5,2-3,3,5,3,3-5,2,3,2,2,7,4,\
        7,b-1,g,3,5,2,5-2,2,c-1,1d-2,a,f,f,ad-1,cw-2,k-1,1g,5,yj,d,gq,2,2fzf,14-3,2t-b,g-1,g,f-1,12-9,35-1,d-1,f,3-9\
        ,k-1j,s-e,b,l,3-8,2-3,a-m,7-57,3-33,3-1,2-2,3-2a,3-2,2-3,6-71,2-1q,c-5,2-n,8-1,3-7,d,3-3,3,5-1,e-1,3,9-1,a,6\
        -2,d-2,9-2,3,2,5,7,4,7-2d,1d-1x,6-7,3-g,4,2-5,3-c,63-11,d-3,1l-7,b-5,15-7,v-1,d-3,3-d,a-12,d-1a,2-9,2-54,2h-\
        7,f-41,75-sd
        """
}
