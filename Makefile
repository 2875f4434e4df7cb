# make demo    plays activity through the sample app: INPUT=FILE OUT=DIR REPOSITORIES=FILE
# make live    starts a collector, plays activity into it over HTTP, and says how to look: INPUT=FILE PACE=N PORT=N ONCE=1
# make test    builds and passes every test
# make test-sdk  the tests without the collector's
# make test-collector  the collector's tests, with the package trait Collector
# make openapi checks the collector against its OpenAPI document with schemathesis: EXAMPLES=N
# make hostile sends the collector damaged and slow requests, bombs, 10,000 connections: HOSTILE=OPTIONS
# make completeness loses, repeats, reorders and clones events, and checks that reconcile names each: EVENTS=N
# make lint    checks the format of the code
# make layers  checks that no target depends on one above it, and that no import or dependency is unused
# make availability checks that what an app embeds uses nothing newer than the oldest systems of Package.swift
# make surface checks the public declarations of the library products against tools/checks/surface, and the names of `import Tracking`
# make ci-action runs the steps of tools/ci-action/action.yml and the hooks of .pre-commit-hooks.yaml on a plan with mistakes
# make apple   compiles the code for Apple systems against stub modules, tests it, and lists what only Apple's compilers check
# make schemas validates the examples, and LOGS=FILES, with an independent validator
# make plan    checks the plan in Schemas, and LOGS=FILES against it, by trackctl and by an independent validator
# make walk-through does what the article Getting started and the walk-through in Flux say
# make matrix  shows which test of the sample app asserts which event for which route command, and that none is without
# make behaviour makes the page of what the sample app does from the names of its tests; make behaviour-check fails if it is
#              another, and so does make matrix
# make screen-tests runs the firing rules as unit tests and as tests of a screen, RUNS times each (100), and compares
# make mutation removes, doubles and alters each firing line of the sample app in turn: its tests must notice each
# make mutation-core changes 100 statements and conditions of the log, of deliveries and of the encoder: SEED=N draws others
# make slim    proves that an embedding app resolves GRDB and nothing else
# make screen-examples tests the screens that are built in other ways than the sample app's
# make examples builds, tests and runs the example apps, and counts their lines of tracking to start
# make codegen makes the Swift code of the schemas again: the standard events, the embedded schemas, their examples, the
#              sample app's pages
# make codegen-check fails if that code is not what the schemas say, then builds an app whose events the plugin makes
# make doubles makes the test doubles of the marked protocols again; make doubles-check fails if they are others, and tests
#              the generator, which builds swift-syntax
# make manual  makes the reference page of trackctl from its commands' help; make manual-check fails if it is another
# make unicode writes the table of Unicode scripts for patterns; make unicode-check compares
# make install builds trackctl for release and installs it with its manual page and completions: PREFIX=DIR
# make report-check looks at a page of `trackctl report` in headless Chromium, narrow and wide, and breaks it to be sure
# make crash   kills, cuts and starves the log for an hour or so, and compares: see CONTRIBUTING.md
# make fuzz    feeds made-up bytes to the readers, the validator and the compiler: FUZZ=NAMES FUZZ_SECONDS=N
# make replay  kills a replay ten times, measures its rate and its memory: REPLAY_LINES=N is how many go through the last
# make memory  measures the memory of every command that reads lines: MEMORY_LINES=N, 10000000 if not given
# make sanitize runs the tests of locks, shared memory and bytes under Thread- and AddressSanitizer: sanitize-thread,
#              sanitize-address
# make bench   runs the benchmarks, or those of BENCH=NAMES; RUNS=N is how often those run that run tests
# make ci      what CI runs

.PHONY: demo test lint schemas plan walk-through matrix behaviour behaviour-check screen-tests mutation slim codegen
.PHONY: codegen-check doubles doubles-check manual manual-check install bench crash fuzz memory replay report-check sanitize ci
.PHONY: setup sanitize-thread sanitize-address unicode unicode-check
.DEFAULT_GOAL := test

# From the command line only, never from the environment.
LOGS :=

setup:
	@tools/setup

demo: setup
	@INPUT="$(INPUT)" OUT="$(OUT)" REPOSITORIES="$(REPOSITORIES)" tools/demo

test: test-sdk test-collector

.PHONY: test-sdk
test-sdk: setup
	tools/run-tests

# With the trait, in a folder of its own: it has other objects.
.PHONY: test-collector
test-collector: setup
	TRACKING_ONLY=CollectorStoreTests,CollectorIntakeTests,CollectorServerTests tools/run-tests --traits Collector --scratch-path .build-collector

.PHONY: live
live: setup
	@INPUT="$(INPUT)" PACE="$(PACE)" PORT="$(PORT)" ONCE="$(ONCE)" tools/live

.PHONY: hostile
hostile: setup
	tools/checks/hostile/run $(HOSTILE)

.PHONY: completeness
completeness: setup
	tools/checks/completeness/run $(if $(EVENTS),--events $(EVENTS))

.PHONY: openapi
openapi: setup
	tools/checks/openapi/run $(if $(EXAMPLES),--examples $(EXAMPLES))

lint:
	swift format lint --strict --recursive Package.swift Sources Tests tools

# What the tests build is all that it looks at.
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

codegen-check: setup
	swift run tracking-codegen $(standard_code) --check
	swift run tracking-codegen $(life_cycle_code) --check
	swift run tracking-codegen $(golden_code) --check
	swift run tracking-codegen $(sample_code) --check
	swift run tracking-codegen $(screens_code) --check
	tools/checks/codegen/check

doubles: setup
	tools/doubles/check --write

doubles-check: setup
	tools/doubles/check $(if $(CI),--if-changed)

manual: setup
	tools/manual/run

manual-check: setup
	tools/manual/run --check

unicode:
	tools/unicode-tables/run

unicode-check:
	tools/unicode-tables/run --check

report-check: setup
	tools/checks/report/run

install: setup
	@PREFIX="$(PREFIX)" tools/install

bench: setup
	$(if $(RUNS),RUNS=$(RUNS)) tools/bench/run $(BENCH)

suites_of_collector := CollectorStoreTests CollectorIntakeTests CollectorServerTests
suites_of_threads := EventLogTests FluxTests PrimitivesTests TrackingCoreTests TrackingTests TrackingHTTPTests TrackingTestingTests LogMaintenanceTests LogReplayTests \
	$(suites_of_collector)
# In CI those of the SDK, and all inputs that the fuzzers know.
suites_of_bytes := EventLogTests EventModelTests FuzzTests JSONLinesTests JSONSchemaTests TrackingPlanTests TrackingCoreTests \
	TrackingTestingTests $(if $(CI),,EventFormatsTests EventQueryTests LogMaintenanceTests LogReplayTests LogFilesTests LogStatisticsTests)
comma := ,
# Only these suites and what they need are built with the sanitizer.
listed = $(subst $() ,$(comma),$(strip $(1)))
any_of = $(subst $() ,|,$(strip $(1)))

sanitize: sanitize-thread sanitize-address

sanitize-thread: setup
	TRACKING_ONLY='$(call listed,$(suites_of_threads))' TSAN_OPTIONS=halt_on_error=1 \
		tools/run-tests --traits Collector --sanitize=thread --scratch-path .build-tsan \
		--filter '$(call any_of,$(suites_of_threads))'

# Leaks are not asked for: LeakSanitizer does not follow the tagged pointers of Swift's weak references.
sanitize-address: setup
	TRACKING_ONLY='$(call listed,$(suites_of_bytes))' ASAN_OPTIONS=detect_leaks=0 \
		tools/run-tests --sanitize=address --scratch-path .build-asan --filter '$(call any_of,$(suites_of_bytes))'

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
