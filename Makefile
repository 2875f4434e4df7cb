## Try it
##   make demo             Replay real activity in the sample app: INPUT=FILE OUT=DIR REPOSITORIES=FILE
##   make live             Start a collector and send it events over HTTP: INPUT=FILE PACE=N PORT=N ONCE=1
##   make cluster          Start NATS servers and ClickHouse's engine on loopback for tests: CLUSTER=OPTIONS
##   make warehouse        Load the same activity into ClickHouse and folders; print the same answers from each engine
##   make release          Build archives of trackctl and the collector for Linux: VERSION=N OUTPUT=DIR REPOSITORY=OWNER/NAME
##   make docs             Build the documentation site in .build/docs; make docs-serve serves it: DOCS_PORT=N
##   make install          Build trackctl for release; install it with manual page and completions: PREFIX=DIR
## Tests
##   make test             Build and run all tests.
##   make test-sdk         Run all tests except the collector's.
##   make test-collector   Run the tests of collector and warehouses only.
##   make sanitize         Run the tests of locks, shared memory and bytes under ThreadSanitizer and AddressSanitizer
##                         (sanitize-thread, sanitize-address).
##   make screen-tests     Run the firing rules RUNS=N times (100) as unit tests and as screen tests; compare the times.
##   make screen-examples  Test the example screens in other architectures.
##   make examples         Build, test and run the example apps; count the lines of tracking code up to the first event.
##   make mutation         Remove, duplicate and alter each line of the sample app that fires an event: tests must fail.
##   make mutation-core    Change 100 statements of the log, delivery and encoder: tests must fail. SEED=N selects others.
##   make before-answer    Check with strace that nothing is stored and sent before a person answers.
##   make crash            Kill senders, truncate files and fill disks for about an hour; no event may be lost.
##   make people           Compare identity, consent and opening with a model in random histories: PEOPLE=OPTIONS
##   make fuzz             Run the fuzz targets: FUZZ=NAMES FUZZ_SECONDS=N
##   make live-page        Check the collector's live page in Chromium: SHORT=1, LINES=FILE of one install's lines
##   make openapi          Test the collector against its OpenAPI document with schemathesis: EXAMPLES=N
##   make clients          Send events with other systems' client libraries while the collector is killed: CLIENTS=OPTIONS
##   make cluster-check    Check the servers of make cluster: replication, compare-and-set, insert tokens, kills.
##   make operations-check Check systemd units, nats.conf and the Containerfile: BINARIES=DIR compares options with --help.
##   make hostile          Send the collector damaged and slow requests, bombs, 10,000 connections, hostile clients: HOSTILE=OPTIONS
##   make network          Deliver through bad networks, proxies and clocks: NETWORK=OPTIONS
##   make hostile-search   Search for the sessions that cost the collector most for each byte: SEARCH=OPTIONS
##   make loader-search    Search for the messages in the stream that cost a loader most for each byte: SEARCH=OPTIONS
##   make completeness     Drop, repeat, reorder and clone events; trackctl reconcile must report each: EVENTS=N
##   make cluster-test     Send events through collectors, JetStream and loaders into ClickHouse and folders while each process is
##                         killed: CLUSTER_TEST=OPTIONS
##   make simulation       Simulate 100,000 installs for 30 days in virtual time and check invariants: SIMULATION=OPTIONS
##   make warehouse-check  Compare the SQL of each engine with trackctl; kill compactions and erasures: SHORT=1, LINES=FILE
##   make replay           Kill a replay ten times; measure its rate and memory: REPLAY_LINES=N
##   make memory           Measure the memory of every command that reads lines: MEMORY_LINES=N (10,000,000)
##   make bench            Run the benchmarks, or BENCH=NAMES; RUNS=N repeats those that run tests.
## Checks
##   make ci               Run the steps of CI; leave out some whose files have not changed within the last 100 commits.
##   make ci-long          Run all steps in their long forms, for hours; print a table of results and times.
##   make ci-check         Check that a change selects the steps that read the file, and that a failed run names its step.
##   make lint             Check the format of the code.
##   make words            Check prose, messages and identifiers for odd words.
##   make calls            Count functions with unlabelled parameters and tuple assignments; fail above the limits.
##   make tries            Check that each try? in Sources has a comment that names the lost value.
##   make lines            Count lines, files and targets.
##   make layers           Check that targets depend only on lower layers and use every dependency and import.
##   make availability     Check that embedded code uses nothing newer than the oldest supported systems.
##   make surface          Compare the public declarations of the library products with tools/checks/surface.
##   make slim             Check that an embedding app resolves only GRDB and builds without a warning.
##   make apple            Compile and test the code for Apple systems against stub modules.
##   make schemas          Validate the examples, and LOGS=FILES, with an independent validator.
##   make plan             Check the plan in Schemas, and LOGS=FILES against it, with trackctl and another validator.
##   make release-check    Check that sources, articles and changelog state the same version, and test this check.
##   make ci-action        Run the GitHub Action and the pre-commit hooks on a plan with errors.
##   make walk-through     Execute the article Getting started and the step-by-step section of Flux.
##   make tutorials        Execute the tutorials of the documentation site.
##   make docs-check       Check the documentation site: warnings, links, reachability, doc comments.
##   make matrix           Show which test of the sample app asserts which event for which route command.
##   make report-check     Open a page of trackctl report in headless Chromium, narrow and wide.
## Generated files (make NAME-check fails if they are out of date)
##   make codegen          Generate Swift from the schemas: standard events, examples, the sample app's pages.
##   make doubles          Generate the test doubles of the marked protocols.
##   make manual           Generate the reference page of trackctl.
##   make behaviour        Generate the page about the sample app from the names of its tests.
##   make unicode          Generate the table of Unicode scripts for patterns.

# Every target is a command.
.PHONY: $(shell sed -nE 's/^([a-z][a-z-]*):.*/\1/p' Makefile)
.DEFAULT_GOAL := test

# All builds contain all servers: see tools/environment.
export TRACKING_SERVERS := all
export SWIFT_DETERMINISTIC_HASHING := 1
# From the command line only, never from the environment.
LOGS :=

help: ; @sed -n 's/^## \{0,1\}//p' Makefile

# SKIP_SETUP: .ci/run has installed everything in its first step.
setup: ; @$(if $(SKIP_SETUP),,tools/setup nats)
setup-release: ; @tools/setup
demo: setup ; @INPUT="$(INPUT)" OUT="$(OUT)" REPOSITORIES="$(REPOSITORIES)" tools/demo
live: setup ; @INPUT="$(INPUT)" PACE="$(PACE)" PORT="$(PORT)" ONCE="$(ONCE)" tools/live
cluster: ; @tools/cluster/run $(CLUSTER)
warehouse: setup ; @INPUT="$(INPUT)" tools/warehouse/demo
release: setup-release ; REPOSITORY="$(REPOSITORY)" tools/release/run "$(VERSION)" $(OUTPUT)

# BASE=/swift-tracking is for a site below that path.
docs: setup ; tools/docs/run $(if $(BASE),--base $(BASE))
docs-serve: docs ; tools/docs/serve $(if $(DOCS_PORT),--port $(DOCS_PORT))
install: setup-release ; @PREFIX="$(PREFIX)" tools/install

# Tests

suites_of_servers := CollectorStoreTests CollectorIntakeTests CollectorReadingTests CollectorServerTests CollectorForwardingTests \
	StreamClientTests WarehouseTests
suites_of_threads := EventLogTests FluxTests PrimitivesTests TrackingCoreTests TrackingTests TrackingHTTPTests TrackingTestingTests \
	LogMaintenanceTests LogReplayTests $(suites_of_servers)
# In CI only the tests of the SDK, and all inputs of the fuzzers.
suites_of_bytes := EventLogTests EventModelTests FuzzTests JSONLinesTests JSONSchemaTests TrackingPlanTests TrackingCoreTests \
	TrackingTestingTests $(if $(CI),,TrackingHTTPTests EventFormatsTests EventQueryTests LogMaintenanceTests LogReplayTests LogFilesTests LogStatisticsTests \
	CollectorStoreTests CollectorIntakeTests CollectorReadingTests CollectorServerTests)
comma := ,
listed = $(subst $() ,$(comma),$(strip $(1)))
any_of = ^($(subst $() ,|,$(strip $(1))))\.

test: setup ; tools/run-tests
test-sdk: setup ; tools/run-tests --skip '$(call any_of,$(suites_of_servers))'
test-collector: setup ; tools/run-tests --filter '$(call any_of,$(suites_of_servers))'

# Only these suites and what they need are built with a sanitizer, without swift-crypto.
sanitized_threads := --disable-default-traits --sanitize=thread --scratch-path .build-tsan
sanitized_bytes := --disable-default-traits --sanitize=address --scratch-path .build-asan
sanitize-thread: export TSAN_OPTIONS := halt_on_error=1
# Leak detection is off: LeakSanitizer does not follow the tagged pointers of Swift's weak references.
sanitize-address: export ASAN_OPTIONS := detect_leaks=0

sanitize: sanitize-thread sanitize-address

sanitize-thread: setup
	TRACKING_ONLY='$(call listed,$(suites_of_threads))' \
		tools/run-tests $(sanitized_threads) --filter '$(call any_of,$(suites_of_threads))'
sanitize-address: setup
	TRACKING_SERVERS=collector TRACKING_ONLY='$(call listed,$(suites_of_bytes))' \
		tools/run-tests $(sanitized_bytes) --filter '$(call any_of,$(suites_of_bytes))'

# Only builds what the two targets above test.
sanitize-builds: setup
	TRACKING_ONLY='$(call listed,$(suites_of_threads))' tools/quiet-build --build-tests $(sanitized_threads)
	TRACKING_SERVERS=collector TRACKING_ONLY='$(call listed,$(suites_of_bytes))' tools/quiet-build --build-tests $(sanitized_bytes)

screen-tests: setup ; tools/checks/screens/run $(RUNS)
screen-examples: setup ; Sources/Examples/Screens/check
examples: setup ; Sources/Examples/Apps/check
mutation: setup ; PYTHONDONTWRITEBYTECODE=1 tools/mutation/run
mutation-core: setup ; tools/mutation/core $(if $(SEED),--seed $(SEED))
before-answer: setup ; tools/checks/before-answer/run
crash: setup ; tools/crash/run
network: setup ; tools/checks/network/run $(NETWORK)
people: setup ; tools/people/run $(PEOPLE)
fuzz: setup ; tools/fuzz/run $(or $(FUZZ),all) --seconds $(or $(FUZZ_SECONDS),60)

# Needs the output of `make demo`, or LINES.
live-page: setup ; tools/checks/live-page/run $(if $(SHORT),--short) $(LINES)
openapi: setup ; tools/checks/openapi/run $(if $(EXAMPLES),--examples $(EXAMPLES))
clients: setup ; tools/checks/clients/run $(CLIENTS)
cluster-check: ; tools/cluster/check
operations-check:
	@tools/setup systemd
	tools/operations/check $(if $(BINARIES),--binaries $(BINARIES))

hostile: setup ; tools/checks/hostile/run $(HOSTILE)
hostile-search: setup ; tools/checks/hostile/search $(SEARCH)
loader-search: setup ; tools/checks/hostile/loader-search $(SEARCH)
completeness: setup ; tools/checks/completeness/run $(if $(EVENTS),--events $(EVENTS))

# Needs the output of `make demo`, or a file of lines in LINES_OF_EVENTS.
cluster-test: setup ; tools/cluster/test $(CLUSTER_TEST)
simulation: setup ; tools/simulation/run $(SIMULATION)

# Needs the output of `make demo`, or a file of lines in LINES. SHORT=1 leaves Spark out.
warehouse-check: setup
	@tools/quiet-build --product trackctl
	@tools/quiet-build --product loader
	tools/warehouse/checks $(if $(SHORT),--short) $(or $(LINES),.build/demo/events.jsonl)

replay: setup ; tools/checks/replay/run $(REPLAY_LINES)
memory: setup ; tools/checks/memory/run $(if $(MEMORY_LINES),--lines $(MEMORY_LINES))
bench: setup ; $(if $(RUNS),RUNS=$(RUNS)) tools/bench/run $(BENCH)

# Checks

ci: ; @bash .ci/run
ci-long: ; @bash .ci/run --long
ci-check: ; tools/checks/ci/run
lint: ; swift format lint --strict --recursive Package.swift Sources Tests tools
words: ; tools/checks/words/run
calls: ; tools/checks/calls/run
tries: ; tools/checks/calls/tries --test && tools/checks/calls/tries
lines: ; @tools/checks/lines-of-code

# The check reads the results of this build.
layers: setup
	@tools/quiet-build --build-tests
	tools/checks/layers/run

availability: setup ; tools/checks/availability/run
surface: setup ; PYTHONDONTWRITEBYTECODE=1 tools/checks/surface/run
slim: setup ; tools/checks/slim/check
apple: setup ; tools/checks/apple/run
schemas: setup ; tools/checks/schemas/run $(LOGS)
plan: setup ; tools/checks/plan $(LOGS)
release-check: ; tools/release/run --check
ci-action: setup ; tools/checks/ci-action/run
walk-through: setup ; tools/checks/walk-through
tutorials: setup ; tools/checks/tutorials/run
docs-check: setup ; tools/checks/docs/run
matrix: setup ; tools/checks/matrix
report-check: setup ; tools/checks/report/run

# Generated files

codegen: setup ; tools/codegen
codegen-check: setup
	tools/codegen --check
	tools/checks/codegen/check
doubles: setup ; tools/doubles/check --write
doubles-check: setup ; tools/doubles/check $(if $(CI),--if-changed)
manual: setup ; tools/manual/run
manual-check: setup ; tools/manual/run --check
behaviour: setup ; tools/behaviour
behaviour-check: setup ; tools/behaviour --check
unicode: ; tools/unicode-tables/run
unicode-check: ; tools/unicode-tables/run --check
