-- A handout's Markdown as a page, for pandoc: links to other pages, figures, formulas set; comments go.
-- PAGE_ENDING is what links to pages end with; PAGE_FIGURES the folders of figures, between colons: NAME.svg and
-- NAME.png lie in one. A PDF gets the latter: weasyprint 57 fails at the colours of gnuplot's points.
--
-- In the Markdown, which stays readable in a terminal and on a code-hosting site:
--   <!-- figure 07_conv2d_tiled/tiled_threads: What it shows. -->   a figure; left out where there is no such file
--   <!-- chart -->                      the lab's recorded times, under the question that its plot.gp begins with
--   <!-- charts -->                     every figure of a source that the page names in `code`, each once, with links to it
--   ```formula                          one formula, as typed: sum over j = -r .. r of in[x + j] * filter[j + r]
--   (T + M - 1)^2, 3 x 3, a * b, -1     in sentences
local formula = dofile(PANDOC_SCRIPT_FILE:match(".*/") .. "formula.lua")
local ending = os.getenv("PAGE_ENDING") or "html"
local format = ending == "pdf" and ".png" or ".svg"
local folders = os.getenv("PAGE_FIGURES") or ""
local scripts = "common/plot/figures/"
local page = (PANDOC_STATE.input_files[1] or ""):match("([^/]*)%.md$")

local function first_line(path)
    local file = io.open(path)
    if not file then return nil end
    local line = file:read()
    file:close()
    return line
end

local function path_of(name)
    for folder in folders:gmatch("[^:]+") do
        local path = folder .. "/" .. name .. format
        if first_line(path) then return path end
    end
end

local function figure(name, caption, id)
    local path = path_of(name)
    if not path then return {} end
    local image = pandoc.Image({}, path)
    image.attributes.alt = pandoc.utils.stringify(caption)
    local words = pandoc.Div(pandoc.Plain(caption), pandoc.Attr("", {"caption"}))
    return pandoc.Div({pandoc.Plain(image), words}, pandoc.Attr(id or "", {"figure"}))
end

-- The question that a chart's script begins with, on one line of comment or more.
local function question_in(script)
    if not first_line(script) then return nil end
    local words = {}
    for line in io.lines(script) do
        table.insert(words, (line:gsub("^#%s*", "")))
        if not line:match("^#") or line:match("[?.)]$") then break end
    end
    return table.concat(words, " ")
end
local function question_of(name)
    return name:match("^%l+_%l+[%w_]*$") and question_in(scripts .. name .. ".gp")
end

local drawn_here = false
local function charts(blocks)
    local all, seen = pandoc.List(), {}
    pandoc.Pandoc(blocks):walk({Code = function(code)
        local question = not seen[code.text] and question_of(code.text)
        if not question then return end
        seen[code.text] = true
        local caption = {pandoc.Code(code.text), pandoc.Space(), pandoc.Str(question)}
        all:extend({figure(code.text, caption, code.text)})
    end})
    return all
end

local function inside(comment)
    return comment:match("^<!%-%-%s*(.-)%s*%-%->%s*$")
end

-- What stands in a comment's place; nil if the block is none.
local function of_comment(block, blocks)
    local text = inside(block.text)
    if not text then return nil end
    local name, caption = text:match("^figure ([%w_/.]+): (.*)$")
    if name then return figure(name, pandoc.read(caption, "gfm").blocks[1].content) end
    if text == "chart" then  -- a lab may have none
        local question = question_in("labs/" .. page .. "/plot.gp")
        return question and figure(page, pandoc.Inlines(question)) or {}
    end
    if text == "charts" then return charts(blocks) end
    return {}
end

local function linked(target)
    local path, anchor = target:match("^([^:#]*)%.md(#?.*)$")
    return path and path .. "." .. ending .. anchor or target
end

-- Columns as wide as what is in them; many are set small; names may break at a _; a short table stays on one page.
local function table_to_fit(grid)
    local rows = 0
    for _, body in ipairs(grid.bodies) do rows = rows + #body.body end
    grid.colspecs = grid.colspecs:map(function(column) return {column[1], nil} end)
    grid.classes = pandoc.List({rows <= 12 and "short" or "long", #grid.colspecs > 8 and "many" or nil})
    local function breakable(word)
        word.text = word.text:gsub("_", "_\u{200B}")
        return word
    end
    return #grid.colspecs > 3 and grid:walk({Str = breakable, Code = breakable}) or grid
end

function Pandoc(document)
    for _, block in ipairs(document.blocks) do
        if block.t == "RawBlock" and inside(block.text) == "charts" then drawn_here = true end
    end
    local whole = document.blocks
    document = document:walk({RawBlock = function(block) return of_comment(block, whole) end})
    document = document:walk({
        RawInline = function(raw) if inside(raw.text) then return {} end end,
        Link = function(link)
            link.target = linked(link.target)
            return link
        end,
        Table = table_to_fit,
        Para = function(paragraph)  -- stays with what it announces
            local last = paragraph.content[#paragraph.content]
            if last.t == "Str" and last.text:match(":$") then return pandoc.Div(paragraph, pandoc.Attr("", {"lead"})) end
        end,
        CodeBlock = function(block)
            if block.classes[1] == "formula" then return pandoc.RawBlock("html", formula.displayed(block.text)) end
            local widest = 0
            for line in (block.text .. "\n"):gmatch("(.-)\n") do widest = math.max(widest, #line) end
            block.classes = widest > 100 and {"wide"} or widest <= 64 and {"narrow"} or {}
            return block
        end,
    })
    document = document:walk({Inlines = formula.in_sentence}):walk({Header = function(header)
        return header:walk({Str = function(word) return word.text == "−" and pandoc.Str("–") or nil end})
    end})
    document = document:walk({Code = function(code)
        if not question_of(code.text) then return nil end
        return pandoc.Link(code, (drawn_here and "" or "results." .. ending) .. "#" .. code.text)
    end})
    document:walk({Header = function(header)
        document.meta.pagetitle = document.meta.pagetitle or pandoc.utils.stringify(header)
    end})
    return document
end
