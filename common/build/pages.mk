# Handouts as pages and slides: Markdown and figures that are drawn from data (common/pages).
PAGES := $(patsubst handouts/%.md,%,$(wildcard handouts/*.md handouts/instructor/*.md))
PAGE_TOOLS := $(wildcard common/pages/*)
charts_of = build/plots/$(notdir $(DATA))
# A chart that the GPU of DATA has not is another one's.
chart_folders = $(charts_of) $(filter-out $(charts_of),$(patsubst data/measurements/%/,build/plots/%,\
    $(wildcard data/measurements/*/)))
PAGE_FIGURES = build/access:$(subst $(space),:,$(strip $(chart_folders))):build/figures

# Every chart of recorded data and every figure of a source.
build/pages/charts: $$(wildcard data/measurements/*/*.csv common/plot/*.* common/plot/figures/*.gp labs/*/*.gp) \
    data/counts.csv
	@mkdir -p $(@D); $(MAKE) plots figures $(if $(dry_run),,>$@.tmp && mv $@.tmp $@)

# What the inspector draws of a solution, and what it counts: none where there are no solutions.
ACCESS := $(SOLVED:%=build/access/%/inspect.txt)
solution_inspector = --worker=$(call inspector,$(1),solution) --inspector=$(call inspector,$(1),solution)
build/access/%/inspect.txt: build/tests/% build/cpu/%/solution.inspect common/build/pictures.sh
	@mkdir -p $(@D); common/build/pictures.sh $(@D) build/tests/$* $(call solution_inspector,$*) inspect \
	    --expected-counts --pictures=$(@D) >$@.tmp && mv $@.tmp $@

page_needs := $(PAGE_TOOLS) build/pages/charts $(ACCESS)
build/handouts/%.pdf: handouts/%.md $(page_needs)
	@common/pages/handouts.sh page handouts build/handouts $(PAGE_FIGURES) $*
build/slides/%.pdf: handouts/%.md $(page_needs)
	@common/pages/handouts.sh slides handouts build/slides $(PAGE_FIGURES) $*
handouts-run: $(PAGES:%=build/handouts/%.pdf)
	@common/pages/links.sh build/handouts
	@echo "$(words $(PAGES)) pages in build/handouts, each as .html and .pdf"
slides-run: $(LABS:%=build/slides/%.pdf)
	@echo "$(words $(LABS)) decks in build/slides, each as .html and .pdf"
