-- Formulas as they are typed, set for a page: in sentences, and in blocks of their own.
local M = {}

local MINUS, TIMES, DOT, NARROW = "−", "×", "·", "\u{202F}"
local BETWEEN = {["x"] = TIMES, ["*"] = DOT, ["-"] = MINUS, ["<="] = "≤", [">="] = "≥", ["->"] = "→"}

-- What stands before and behind a sign: a number, a letter, a bracket, code; a word of a sentence is none.
local function ends_value(token)
    return token and (token.t == "Code" or token.t == "Superscript"
        or token.t == "Str" and (token.text:match("[%d%)%]]$") or token.text:match("^%(*%a$")))
end
local function begins_value(token)
    return token and (token.t == "Code"
        or token.t == "Str" and (token.text:match("^[−(%[]*%d") or token.text:match("^%(*%a%f[^%w]")))
end

-- 15)^2 as 15) and a raised 2; -1 with a minus.
local function set_word(text)
    local parts = pandoc.List()
    text = text:gsub("^(%(*)%-(%d)", "%1" .. MINUS .. "%2"):gsub("^<=(%d)", "≤%1")
    while true do
        local before, exponent, after = text:match("^(.-[%w%)])%^(%-?%w+)(.*)$")
        if not before then break end
        parts:insert(pandoc.Str(before))
        parts:insert(pandoc.Superscript(pandoc.Str((exponent:gsub("^%-", MINUS)))))
        text = after
    end
    if text ~= "" or #parts == 0 then parts:insert(pandoc.Str(text)) end
    return parts
end

-- A line of the file ends where it may.
local function is_space(token)
    return token.t == "Space" or token.t == "SoftBreak"
end

-- Inlines of a sentence: 3 x 3, (T + M - 1)^2, 2 * 4, -1.
function M.in_sentence(inlines)
    local words = pandoc.List()
    for _, token in ipairs(inlines) do
        if token.t == "Str" then words:extend(set_word(token.text)) else words:insert(token) end
    end
    for k = 3, #words do  -- 44 %, 1 048 576
        local before, after = words[k - 2], words[k]
        if is_space(words[k - 1]) and before.t == "Str" and after.t == "Str" and before.text:match("%d$")
            and (after.text:match("^%%") or after.text:match("^%d%d%d%f[^%w]")) then words[k - 1] = pandoc.Str(NARROW) end
    end
    for k = 3, #words - 2 do
        local token, before, after = words[k], words[k - 2], words[k + 2]
        local sign = token.t == "Str" and is_space(words[k - 1]) and is_space(words[k + 1]) and BETWEEN[token.text]
        if sign and ends_value(before) and begins_value(after) then
            words[k] = pandoc.Str(sign)
            if sign == TIMES then words[k - 1], words[k + 1] = pandoc.Str(NARROW), pandoc.Str(NARROW) end
        elseif sign == MINUS then
            words[k] = pandoc.Str("–")
        end
    end
    return words
end

local ENTITIES = {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;"}
local WORDS = {sum = true, over = true, of = true}

local function name(word)
    return WORDS[word] and word or '<span class="name">' .. word .. "</span>"
end
local function sum(range, first, last)
    return string.format('<span class="sum"><small>%s</small><b>∑</b><small>%s = %s</small></span>', last, range, first)
end

-- One formula to a line, as HTML.
function M.displayed(text)
    local lines = {}
    for line in (text .. "\n"):gmatch("(.-)\n") do
        line = line:gsub("<=", "≤"):gsub(">=", "≥"):gsub("[&<>]", ENTITIES)
        line = line:gsub("%f[%w_]x%f[^%w_](%s*%()", TIMES .. "%1"):gsub("%s*%*%s*", " " .. DOT .. " "):gsub("%-", MINUS)
        line = line:gsub("%f[%w_]%l%l[%l_]*", name)
        line = line:gsub("%f[%w_](%a)_(%w)%f[^%w_]", "%1<sub>%2</sub>"):gsub("%^(%w+)", "<sup>%1</sup>")
        line = line:gsub("sum over ([%w, ]-) = (%S+)%s*%.%.%s*(%S+) of%s*", sum)
        table.insert(lines, line)
    end
    return '<div class="formula">' .. table.concat(lines, "<br>\n") .. "</div>"
end

return M
