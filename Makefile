# Two commands matter: `make run` and `make test`. `make help` lists the rest.
SWIFT ?= swift
ARGS ?=
# The program that the clients are packed and tested with, and where packages go.
PROGRAM ?= .build/debug/mock-apns
OUT ?= dist
IMAGE ?= mock-apns
# Schemas and validators, from PyPI.
TOOLS := .build/dist-tools
RELEASE := .build/release/mock-apns
STATIC := .build/static/release/mock-apns
# The suites that open sockets or work on bare memory; the address sanitizer runs over them.
LIVE := LockingTests|EventLoopTests|TLSTests|HTTPTests|JSONTests|SimulationTests|AdminTests|EndToEndTests|MockAPNSTests
# Those in which threads meet; the thread sanitizer runs over them.
SHARED := Journal|InspectionLog|KeyStore|ChannelStore|ConnectionStore|DeviceStore|ServerClock
THREADED := LockingTests|EventLoopTests|TLSTests|HTTPTests|SimulationTests\.($(SHARED))|AdminTests\.LiveTests|EndToEndTests|MockAPNSTests
# Sanitizers name functions without it, and both builds take a sixth less time.
NODEBUG := -Xswiftc -gnone
# A dependency that a target uses without declaring it is an error, not luck.
CHECKED := --explicit-target-dependency-import-check error

.DEFAULT_GOAL := help
.PHONY: readme help run build static test unit senders page sanitize sanitize-threads sanitize-memory sanitize-memory-build fuzz bench lint format compose clean dist dist-tools try-dist try-image hosted image release-check release-merge release-publish npm wheel go jar test-node test-python test-go test-java test-examples dependencies test-dependencies bench-dependencies

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## Install what is missing, build, and start (ARGS="--listen 127.0.0.1:0" for another port)
	@exec $(RELEASE) serve $(ARGS)

build: dependencies ## Build the release program: .build/release/mock-apns
	$(SWIFT) build -c release $(CHECKED) --product mock-apns

static: dependencies ## Build one file without dynamic dependencies: .build/static/release/mock-apns
	$(SWIFT) build -c release --product mock-apns --scratch-path .build/static -Xswiftc -static-executable
	strip $(STATIC)

test: unit senders ## Run every suite: unit, live, built program, real senders

unit: test-dependencies
	$(SWIFT) build --build-tests $(CHECKED)
	$(SWIFT) test --skip-build

senders: test-dependencies ## Only the real senders (aioapns, kalyke, httpx, curl, nghttp, h2load) and the documents' recipes against the program
	$(SWIFT) build --product mock-apns
	Tests/Senders/run.sh

page: ## The web page in a real browser (installs Chromium)
	@scripts/install-dependencies.sh page
	$(SWIFT) build --product mock-apns
	MOCK_APNS_PAGE=1 Tests/Senders/run.sh -k test_page

sanitize: sanitize-threads sanitize-memory ## Run the live suites under the thread and the address sanitizer

sanitize-threads: test-dependencies ## Run the suites in which threads meet under the thread sanitizer
	MOCK_APNS_SANITIZED=1 TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/tsan.suppressions" \
	  $(SWIFT) test --sanitize thread --scratch-path .build/thread $(NODEBUG) --filter '$(THREADED)'

sanitize-memory-build: test-dependencies
	$(SWIFT) build --build-tests --sanitize address --scratch-path .build/address $(NODEBUG)

sanitize-memory: test-dependencies ## Run the suites that work on bare memory under the address sanitizer
	MOCK_APNS_SANITIZED=1 ASAN_OPTIONS="detect_leaks=0" \
	  $(SWIFT) test --sanitize address --scratch-path .build/address $(NODEBUG) --filter '$(LIVE)'

fuzz: test-dependencies ## Look for inputs that break the parsers, with coverage (SECONDS=30 each, TARGETS="payload rule")
	Tests/Fuzz/run.sh $(or $(SECONDS),30) $(TARGETS)

bench: build bench-dependencies ## Measure CPU and instructions per push, start time and memory (docs/performance.md)
	Benchmarks/push_cost.py
	Benchmarks/start_time.py
	Benchmarks/memory.py
	Benchmarks/instructions.py

lint: ## Check the format of all Swift files
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

format: ## Format all Swift files
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests

readme: ## Write the table of flags into README.md anew
	README_UPDATE=1 $(SWIFT) test --filter ReadmeTests

npm: ## Pack the npm packages with a program in them (PROGRAM=FILE OUT=dist)
	@scripts/install-dependencies.sh node
	clients/node/pack.js $(OUT) $(abspath $(PROGRAM))

wheel: ## Make the Python wheel with a program in it, and the source distribution (PROGRAM=FILE OUT=dist)
	@scripts/install-dependencies.sh python
	clients/python/wheel.py $(PROGRAM) $(OUT) $(PLATFORM)
	clients/python/wheel.py --sdist $(OUT)

go: ## Pack the Go module as a file (PROGRAM=FILE OUT=dist)
	@scripts/install-dependencies.sh go
	clients/go/pack.sh $(OUT) $(abspath $(PROGRAM))

jar: ## Pack the jars, with a program in one of them (PROGRAM=FILE OUT=dist)
	@scripts/install-dependencies.sh java
	clients/java/build.sh jar $(OUT) $(abspath $(PROGRAM))

test-node: ## Test the Node client and its packages (PROGRAM=FILE)
	@scripts/install-dependencies.sh node
	cd clients/node && MOCK_APNS_PROGRAM=$(abspath $(PROGRAM)) node --test test/*.test.*js
	cd clients/node && tsc --noEmit --strict --target es2022 --module nodenext --moduleResolution nodenext test/types.mts
	clients/node/test/install.sh $(abspath $(PROGRAM))

test-python: ## Test the Python client from its wheel (PROGRAM=FILE)
	@scripts/install-dependencies.sh python
	clients/python/test.sh $(abspath $(PROGRAM))

test-go: ## Test the Go client (PROGRAM=FILE)
	@scripts/install-dependencies.sh go
	cd clients/go && test -z "$$(gofmt -l .)" && go vet . && MOCK_APNS_PROGRAM=$(abspath $(PROGRAM)) go test -count=1 -parallel 50 .
	clients/go/test/install.sh $(abspath $(PROGRAM))

test-java: ## Test the Java client and its jars (PROGRAM=FILE)
	@scripts/install-dependencies.sh java
	clients/java/build.sh test $(abspath $(PROGRAM))

test-examples: ## Run the examples in Ruby, PHP and Elixir (PROGRAM=FILE)
	@scripts/install-dependencies.sh examples
	examples/run.sh $(abspath $(PROGRAM))

dist: ## Build the static program and make all that a release has (PROGRAM=FILE packs that one; OUT=dist)
ifneq ($(origin PROGRAM),command line)
	$(MAKE) static
endif
	@for each in node python go java; do scripts/install-dependencies.sh $$each; done
	@$(MAKE) dist-tools
	scripts/dist.sh $(if $(filter command line,$(origin PROGRAM)),$(PROGRAM),$(STATIC)) $(OUT)
	$(TOOLS)/bin/python scripts/linked.py check $(OUT)/*.cdx.json
	lintian --allow-root --fail-on error,warning $(OUT)/*.deb
	ruby -c $(OUT)/mock-apns.rb

try-dist: ## Install what `make dist` made as a newcomer does, by the lines of the README (OUT=dist)
	scripts/try-dist.sh $(OUT)

try-image: ## Run the program as image and compose file do, without Docker (PROGRAM=FILE; needs root)
	scripts/try-image.sh $(PROGRAM)

# Debian's docker-compose (1.29) does not know start_interval, so the schema of the Compose specification judges, from PyPI.
compose: dist-tools ## Check docker-compose.yml
	$(TOOLS)/bin/check-jsonschema --builtin-schema vendor.compose-spec docker-compose.yml

hosted: dist-tools ## Check the workflows, the action, and the examples for GitLab and Kubernetes
	$(TOOLS)/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(TOOLS)/bin/check-jsonschema --builtin-schema custom.github-workflows-require-timeout .github/workflows/*.yml
	$(TOOLS)/bin/check-jsonschema --builtin-schema vendor.github-actions .github/actions/*/action.yml
	$(TOOLS)/bin/check-jsonschema --builtin-schema vendor.gitlab-ci examples/gitlab-ci.yml
	$(TOOLS)/bin/kubernetes-validate --strict examples/kubernetes/*.yaml

image: ## Build the container image (IMAGE=mock-apns; PUSH=1 pushes it)
	docker build -t $(IMAGE) .
	$(if $(PUSH),docker push $(IMAGE))

release-check: ## Refuse a tag that is not the version of the source, or that CHANGELOG.md does not know (TAG=v0.1.0)
	scripts/release.sh check $(TAG)

release-merge: ## Put the packages of several machines together (TAG=v0.1.0 PARTS=FOLDER OUT=dist)
	scripts/release.sh merge $(TAG) $(PARTS) $(OUT)

release-publish: ## Make the release of a tag from OUT with gh (TAG=v0.1.0 OUT=dist)
	scripts/release.sh publish $(TAG) $(OUT)

clean: ## Remove what was built
	rm -rf .build dist

dependencies:
	@scripts/install-dependencies.sh build

bench-dependencies:
	@scripts/install-dependencies.sh bench

test-dependencies:
	@scripts/install-dependencies.sh test

dist-tools:
	@scripts/install-dependencies.sh dist
	@test -x $(TOOLS)/bin/kubernetes-validate || { python3 -m venv $(TOOLS) && \
	  $(TOOLS)/bin/pip install --quiet --disable-pip-version-check -r scripts/dist-requirements.txt; }
