-- A lab's handout as a deck of slides, for pandoc, before page.lua: goal, idea, worked example, pictures, tasks, counts and
-- recorded times; no hint and no answer. PAGE_COUNTS is a file of what the inspector said of the solution (make slides).
local MOST = 8
local HIGH = 6  -- rows of a table beside which a slide has no room for a paragraph more

local function is_section(block, name)
    return block.t == "Header" and (not name or pandoc.utils.stringify(block) == name)
end
local function is_comment(block, word)
    return block.t == "RawBlock" and block.text:match("^<!%-%- " .. word) ~= nil
end

-- The blocks below the heading `name`, up to the next heading.
local function section(blocks, name)
    local found, here = pandoc.List(), false
    for _, block in ipairs(blocks) do
        if block.t == "Header" then here = pandoc.utils.stringify(block) == name
        elseif here then found:insert(block) end
    end
    return found
end

-- The sentences of a paragraph up to about this many letters.
local function beginning(paragraph, letters)
    local words, length, last = pandoc.List(), 0, 0
    for k, word in ipairs(paragraph.content) do
        length = length + #pandoc.utils.stringify(word)
        words:insert(word)
        local text = word.t == "Str" and word.text or ""
        if text:match("[.?]$") and text ~= "fig." and length <= letters then last = k end
    end
    if length <= letters then return paragraph end
    return last > 0 and pandoc.Para(pandoc.List({table.unpack(words, 1, last)})) or paragraph
end

-- A paragraph without a last sentence that announces what a slide does not show.
local function closed(paragraph)
    local words, last = paragraph.content, 0
    if not pandoc.utils.stringify(words[#words]):match(":$") then return paragraph end
    for k, word in ipairs(words) do
        if word.t == "Str" and word.text:match("[.?]$") and word.text ~= "fig." then last = k end
    end
    return last > 0 and pandoc.Para(pandoc.List({table.unpack(words, 1, last)})) or nil
end

-- What a section shows: the beginnings of its first paragraphs, a list or what is set apart, and of the paragraph behind it.
local function shown(blocks, letters, paragraphs)
    local kept = pandoc.List()
    for k, block in ipairs(blocks) do
        if block.t == "Para" and paragraphs > 0 then
            kept:insert(beginning(block, letters))
            paragraphs = paragraphs - 1
        elseif (block.t == "CodeBlock" or block.t == "Table" or block.t == "BulletList") and (#kept > 0 or k == 1) then
            kept:insert(block)
            local behind = blocks[k + 1]
            local is_high = block.t == "Table" and #block.bodies[1].body > HIGH
            behind = not is_high and behind and behind.t == "Para" and closed(beginning(behind, letters))
            if behind then kept:insert(behind) end
            break
        end
    end
    return kept
end

-- The first table of counts that the inspector printed.
local function counts()
    local lines, file = {}, io.open(os.getenv("PAGE_COUNTS") or "")
    if not file then return nil end
    local inside = false
    for line in file:lines() do
        if line:match("closed form$") and #lines > 0 then inside = true end
        if line:match("^[%w_]+: .*filter ") and #lines == 0 then table.insert(lines, line)
        elseif inside and (line:match("%S+:%d+ ") or line:match(" together:$")) then break
        elseif inside then table.insert(lines, (line:gsub("  yours ", "counted "))) end
    end
    file:close()
    local block = inside and pandoc.CodeBlock(table.concat(lines, "\n"))
    return #lines > 15 and pandoc.Div(block, pandoc.Attr("", {"high"})) or block
end

-- Whether there are recorded times of the lab, and a chart of them.
local function is_drawn(name)
    for folder in (os.getenv("PAGE_FIGURES") or ""):gmatch("[^:]+") do
        if io.open(folder .. "/" .. name .. ".png") then return true end
    end
    return false
end

function Pandoc(document)
    local blocks, slides = document.blocks, pandoc.List()
    local function slide(title, content)
        if #content > 0 and #slides < MOST then
            slides:insert(pandoc.Div(pandoc.List({pandoc.Header(2, title)}) .. content, pandoc.Attr("", {"slide"})))
        end
    end
    local front = pandoc.List({blocks[1]})
    for k = 2, #blocks do
        if blocks[k].t == "Header" then break end
        if blocks[k].t == "Para" then front:insert(blocks[k]) end
    end
    slides:insert(pandoc.Div(front, pandoc.Attr("", {"slide", "front"})))

    -- The idea, without its worked example, which has a slide of its own.
    local idea, example, in_example = pandoc.List(), pandoc.List(), false
    for _, block in ipairs(section(blocks, "The idea")) do
        local first = block.t == "Para" and pandoc.utils.stringify(block.content[1])
        if first and first:match("^Worked example") then in_example = true end
        if not is_comment(block, "") then (in_example and example or idea):insert(block) end
    end
    slide("The idea", shown(idea, 420, 2))
    slide("Worked example", shown(example, 500, 1))

    -- Sections between the idea and the tasks: the new piece of the language.
    local others, pictures, after_idea = pandoc.List(), pandoc.List(), false
    for _, block in ipairs(blocks) do
        if is_section(block, "Your tasks") then break end
        if after_idea and block.t == "Header" then others:insert(block) end
        if is_section(block, "The idea") then after_idea = true end
        if is_comment(block, "figure") then pictures:insert(block) end
    end
    local room = MOST - #slides - (#pictures > 0 and 1 or 0) - 3  -- pictures, counts, tasks, times
    for k, header in ipairs(others) do
        if k <= room then slide(header.content, shown(section(blocks, pandoc.utils.stringify(header)), 300, 1)) end
    end
    if #pictures > 0 then slide("Who touches what", pandoc.List({pandoc.Div(pictures, pandoc.Attr("", {"pictures"}))})) end
    local said = counts()
    if said then slide("Counts of the reference solution", pandoc.List({said})) end
    for _, block in ipairs(section(blocks, "Your tasks")) do
        if block.t == "Table" then
            slide("Your tasks", pandoc.List({block}))
            break
        end
    end
    local name = PANDOC_STATE.input_files[1]:match("([^/]*)%.md$")
    if is_drawn(name) then
        slide("Recorded times", pandoc.List({pandoc.RawBlock("html", "<!-- chart -->")}))
    end
    return pandoc.Pandoc(slides, document.meta)
end
