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
##   make test-collector   Run the tests of collector and warehouses, with the package traits Collector, NATS and SwiftCrypto.
##   make sanitize         Run the tests of locks, shared memory and bytes under ThreadSanitizer and AddressSanitizer
##                         (sanitize-thread, sanitize-address).
##   make screen-tests     Run the firing rules RUNS=N times (100) as unit tests and as screen tests; compare the times.
##   make screen-examples  Test the example screens in other architectures.
##   make examples         Build, test and run the example apps; count the lines of tracking code up to the first event.
##   make mutation         Remove, duplicate and alter each line of the sample app that fires an event: tests must fail.
##   make mutation-core    Change 100 statements of the log, delivery and encoder: tests must fail. SEED=N selects others.
##   make crash            Kill senders, truncate files and fill disks for about an hour; no event may be lost.
##   make fuzz             Run the fuzz targets: FUZZ=NAMES FUZZ_SECONDS=N
##   make live-page        Check the collector's live page in Chromium: SHORT=1, LINES=FILE of one install's lines
##   make openapi          Test the collector against its OpenAPI document with schemathesis: EXAMPLES=N
##   make clients          Send events with other systems' client libraries while the collector is killed: CLIENTS=OPTIONS
##   make cluster-check    Check the servers of make cluster: replication, compare-and-set, insert tokens, kills.
##   make operations-check Check systemd units, nats.conf and the Containerfile: BINARIES=DIR compares options with --help.
##   make hostile          Send the collector damaged and slow requests, bombs and 10,000 connections: HOSTILE=OPTIONS
##   make completeness     Drop, repeat, reorder and clone events; trackctl reconcile must report each: EVENTS=N
##   make cluster-test     Send events through collectors, JetStream and loaders into ClickHouse and folders while each process is
##                         killed: CLUSTER_TEST=OPTIONS
##   make simulation       Simulate 100,000 installs for 30 days in virtual time and check invariants: SIMULATION=OPTIONS
##   make warehouse-check  Compare the SQL of each engine with trackctl; kill compactions and erasures: SHORT=1, LINES=FILE
##   make replay           Kill a replay ten times; measure its rate and memory: REPLAY_LINES=N
##   make memory           Measure the memory of every command that reads lines: MEMORY_LINES=N (10,000,000)
##   make bench            Run the benchmarks, or BENCH=NAMES; RUNS=N repeats those that run tests.
## Checks
##   make ci               Run everything that CI runs.
##   make lint             Check the format of the code.
##   make words            Check prose, messages and identifiers for odd words.
##   make tries            Check that each try? in Sources has a comment that names what is lost.
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

.PHONY: help
help:
	@sed -n 's/^## \{0,1\}//p' Makefile

.PHONY: words
words:
	tools/checks/words/run

.PHONY: tries
tries:
	tools/checks/calls/tries --test
	tools/checks/calls/tries

.PHONY: demo test lint schemas plan walk-through matrix behaviour behaviour-check screen-tests mutation slim codegen
.PHONY: codegen-check doubles doubles-check manual manual-check install bench crash fuzz memory replay report-check sanitize ci
.PHONY: setup sanitize-thread sanitize-address unicode unicode-check
.DEFAULT_GOAL := test

# From the command line only, never from the environment.
LOGS :=

# Otherwise SwiftPM passes the package traits to compilers in a random order, and each build with several traits compiles everything
# again.
export SWIFT_DETERMINISTIC_HASHING := 1

setup:
	@tools/setup

.PHONY: setup-nats
setup-nats:
	@tools/setup nats

demo: setup
	@INPUT="$(INPUT)" OUT="$(OUT)" REPOSITORIES="$(REPOSITORIES)" tools/demo

# What the tests of the collector need is fetched while the tests of the SDK are built. What cannot be fetched there is fetched again,
# with its errors.
test: setup-nats
	@{ tools/cluster/environment; swift package resolve --traits $(collector_traits) --scratch-path .build-collector; } \
		>/dev/null 2>&1 </dev/null & \
	$(MAKE) --no-print-directory test-sdk && wait && $(MAKE) --no-print-directory test-collector

.PHONY: test-sdk
test-sdk: setup
	tools/run-tests

# A separate build folder, because the trait changes what is compiled.
.PHONY: test-collector
test-collector: setup-nats
	@tools/cluster/environment >/dev/null
	TRACKING_ONLY='$(call listed,$(suites_of_collector) $(suites_of_warehouse))' tools/run-tests --traits $(collector_traits) --scratch-path .build-collector

.PHONY: live
live: setup
	@INPUT="$(INPUT)" PACE="$(PACE)" PORT="$(PORT)" ONCE="$(ONCE)" tools/live

.PHONY: cluster
cluster:
	@tools/cluster/run $(CLUSTER)

.PHONY: cluster-check
cluster-check:
	tools/cluster/check

.PHONY: warehouse
warehouse: setup-nats
	@INPUT="$(INPUT)" tools/warehouse/demo

# Needs the output of `make demo`, or a file of lines in LINES. SHORT=1 leaves Spark out.
.PHONY: warehouse-check
warehouse-check: setup
	@tools/quiet-build --product trackctl
	tools/warehouse/checks $(if $(SHORT),--short) $(or $(LINES),.build/demo/events.jsonl)

# Needs the output of `make demo`, or a file of lines in LINES_OF_EVENTS.
.PHONY: cluster-test
cluster-test: setup-nats
	tools/cluster/test $(CLUSTER_TEST)

.PHONY: simulation
simulation: setup-nats
	tools/simulation/run $(SIMULATION)

.PHONY: operations-check
operations-check:
	@tools/setup systemd
	tools/operations/check $(if $(BINARIES),--binaries $(BINARIES))

.PHONY: hostile
hostile: setup
	tools/checks/hostile/run $(HOSTILE)

# Needs the output of `make demo`, or LINES.
.PHONY: live-page
live-page: setup
	tools/checks/live-page/run $(if $(SHORT),--short) $(LINES)

.PHONY: completeness
completeness: setup
	tools/checks/completeness/run $(if $(EVENTS),--events $(EVENTS))

.PHONY: clients
clients: setup
	tools/checks/clients/run $(CLIENTS)

.PHONY: openapi
openapi: setup
	tools/checks/openapi/run $(if $(EXAMPLES),--examples $(EXAMPLES))

lint:
	swift format lint --strict --recursive Package.swift Sources Tests tools

# The check reads the results of this build.
.PHONY: layers
layers: setup
	@tools/quiet-build --build-tests
	tools/checks/layers/run

.PHONY: availability
availability: setup
	@tools/quiet-build --build-tests
	tools/checks/availability/run

.PHONY: surface
surface: setup
	@tools/quiet-build --build-tests
	PYTHONDONTWRITEBYTECODE=1 tools/checks/surface/run

.PHONY: ci-action
ci-action: setup
	tools/checks/ci-action/run

.PHONY: apple
apple: setup
	tools/checks/apple/run

schemas: setup
	tools/checks/schemas/run $(LOGS)

plan: setup
	tools/checks/plan $(LOGS)

walk-through: setup
	tools/checks/walk-through

matrix: setup
	tools/checks/matrix

behaviour: setup
	tools/behaviour

behaviour-check: setup
	tools/behaviour --check

screen-tests: setup
	tools/checks/screens/run $(RUNS)

mutation: setup
	PYTHONDONTWRITEBYTECODE=1 tools/mutation/run

.PHONY: mutation-core
mutation-core: setup
	tools/mutation/core $(if $(SEED),--seed $(SEED))

slim: setup
	tools/checks/slim/check

standard_code := --schemas Schemas --standard --access public --output Sources/SDK/TrackingCore/Events/Generated \
	--domain-events search --domain-output Sources/SDK/TrackingDomainEvents/Generated \
	--embed Sources/Plan/TrackingPlan/Generated/StandardSchemas.swift \
	--examples Tests/SDK/TrackingCoreTests/Generated/StandardExamples.swift --examples-import TrackingDomainEvents

life_cycle_code := --schemas Schemas/sets/life-cycle --access public --output Sources/SDK/TrackingLifeCycle/Generated \
	--embed Sources/Plan/TrackingPlan/Generated/LifeCycleSchemas.swift \
	--examples Tests/SDK/TrackingLifeCycleTests/Generated/LifeCycleExamples.swift --examples-import TrackingLifeCycle

golden_code := --schemas tools/checks/codegen/Sources/CodegenClient/Schemas --output Tests/Plan/PlanCodegenTests/Golden \
	--examples Tests/Plan/PlanCodegenTests/Golden/SchemaExamples.swift

sample_code := --schemas Sources/Sample/GitHubClient/Schemas --output Sources/Sample/GitHubClient/Generated
screens_code := --schemas Sources/Examples/Screens/Schemas --access public \
	--pages Sources/Examples/Screens/Sources/Repositories/Page.swift
article_code := --schemas Tests/SDK/ArticleTests/Schemas --output Tests/SDK/ArticleTests/Generated

.PHONY: screen-examples
screen-examples: setup
	Sources/Examples/Screens/check

.PHONY: examples
examples: setup
	Sources/Examples/Apps/check

codegen: setup
	swift run tracking-codegen $(standard_code)
	swift run tracking-codegen $(life_cycle_code)
	swift run tracking-codegen $(golden_code)
	swift run tracking-codegen $(sample_code)
	swift run tracking-codegen $(screens_code)
	swift run tracking-codegen $(article_code)

codegen-check: setup
	swift run tracking-codegen $(standard_code) --check
	swift run tracking-codegen $(life_cycle_code) --check
	swift run tracking-codegen $(golden_code) --check
	swift run tracking-codegen $(sample_code) --check
	swift run tracking-codegen $(screens_code) --check
	swift run tracking-codegen $(article_code) --check
	tools/checks/codegen/check

doubles: setup
	tools/doubles/check --write

doubles-check: setup
	tools/doubles/check $(if $(CI),--if-changed)

manual: setup
	tools/manual/run

manual-check: setup
	tools/manual/run --check

# BASE=/swift-tracking is for a site below that path.
.PHONY: docs docs-serve docs-check
docs: setup
	tools/docs/run $(if $(BASE),--base $(BASE))

docs-serve: docs
	tools/docs/serve $(if $(DOCS_PORT),--port $(DOCS_PORT))

docs-check: setup
	tools/checks/docs/run

.PHONY: tutorials
tutorials: setup
	tools/checks/tutorials/run

unicode:
	tools/unicode-tables/run

unicode-check:
	tools/unicode-tables/run --check

report-check: setup
	tools/checks/report/run

install: setup
	@PREFIX="$(PREFIX)" tools/install

.PHONY: release
release: setup
	REPOSITORY="$(REPOSITORY)" tools/release/run "$(VERSION)" $(OUTPUT)

.PHONY: release-check
release-check:
	tools/release/run --check

bench: setup
	$(if $(RUNS),RUNS=$(RUNS)) tools/bench/run $(BENCH)

suites_of_collector := CollectorStoreTests CollectorIntakeTests CollectorClientsTests CollectorFeedTests CollectorStatisticsTests \
	CollectorServerTests
suites_of_warehouse := CollectorForwardingTests StreamClientTests StreamProtocolTests WarehouseTests
collector_traits := Collector,NATS,SwiftCrypto
suites_of_threads := EventLogTests FluxTests PrimitivesTests TrackingCoreTests TrackingTests TrackingHTTPTests TrackingTestingTests LogMaintenanceTests LogReplayTests \
	$(suites_of_collector) $(suites_of_warehouse)
# In CI only the tests of the SDK, and all inputs of the fuzzers.
suites_of_bytes := EventLogTests EventModelTests FuzzTests JSONLinesTests JSONSchemaTests TrackingPlanTests TrackingCoreTests \
	TrackingTestingTests $(if $(CI),,EventFormatsTests EventQueryTests LogMaintenanceTests LogReplayTests LogFilesTests LogStatisticsTests)
comma := ,
# Only these suites and what they need are built with the sanitizer.
listed = $(subst $() ,$(comma),$(strip $(1)))
any_of = $(subst $() ,|,$(strip $(1)))

sanitized_threads := --traits Collector,NATS --sanitize=thread --scratch-path .build-tsan
sanitized_bytes := --sanitize=address --scratch-path .build-asan

sanitize: sanitize-thread sanitize-address

sanitize-thread: setup-nats
	@tools/cluster/environment >/dev/null
	TRACKING_ONLY='$(call listed,$(suites_of_threads))' TSAN_OPTIONS=halt_on_error=1 \
		tools/run-tests $(sanitized_threads) --filter '$(call any_of,$(suites_of_threads))'

# Leak detection is off: LeakSanitizer does not follow the tagged pointers of Swift's weak references.
sanitize-address: setup
	TRACKING_ONLY='$(call listed,$(suites_of_bytes))' ASAN_OPTIONS=detect_leaks=0 \
		tools/run-tests $(sanitized_bytes) --filter '$(call any_of,$(suites_of_bytes))'

# Only builds what the two targets above test.
.PHONY: sanitize-builds
sanitize-builds: setup-nats
	TRACKING_ONLY='$(call listed,$(suites_of_threads))' tools/quiet-build --build-tests $(sanitized_threads)
	TRACKING_ONLY='$(call listed,$(suites_of_bytes))' tools/quiet-build --build-tests $(sanitized_bytes)

crash: setup
	tools/crash/run

fuzz: setup
	tools/fuzz/run $(or $(FUZZ),all) --seconds $(or $(FUZZ_SECONDS),60)

replay: setup
	tools/checks/replay/run $(REPLAY_LINES)

memory: setup
	tools/checks/memory/run $(if $(MEMORY_LINES),--lines $(MEMORY_LINES))

ci:
	bash .ci/run
