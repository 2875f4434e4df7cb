"""A log of forty days whose names try everything that a page could stumble over; the same lines in every run."""
import json
import random
import uuid

random.seed(7)
START = 1536710400
NASTY = ["<script>alert(1)</script>", "\"quotes\" & 'more'", "control\u0007\u001b[31m", "a" * 300, "名前のとても長いイベント"]
PAGES = ["repository-search", "repository-detail", "<b>bold</b>"]

seq = 0
for number in range(400):
    first = random.randrange(40)
    for day in range(first, 40):
        if day > first and random.random() > 0.6 / (day - first):
            continue
        time = START + day * 86400 + random.randrange(80000)
        session = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{number}-{day}"))
        names = ["launch"] + random.choices(["search", "page-view", "background", "notification"] + NASTY, k=random.randrange(9))
        for name in names:
            seq += 1
            time += random.choice([0, 1, 7, 60, 400])
            event = {"name": name}
            if name == "search":
                event["value"] = {"query": "swift", "page": random.randrange(0, 4)}
            elif name == "page-view":
                event["value"] = {"page": random.choice(PAGES)}
            print(json.dumps({
                "v": 1, "id": f"018f3c00-0000-7000-8000-{seq:012x}", "install_id": "install-a", "seq": seq,
                "session_id": session, "user_id": f"user-{number}", "time": time, "schema": f"{name}/1-0-0",
                "event": event,
            }))
