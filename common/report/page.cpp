// The frame of a page.
#include "report/page.h"

#include "report/escape.h"

namespace report {

std::string page_head(std::string_view title, std::string_view style) {
    // The policy keeps a browser from running or loading anything, whatever stands below it.
    return "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
           "<meta charset=\"utf-8\"/>\n<meta http-equiv=\"Content-Security-Policy\" "
           "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\"/>\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>" +
           html_text(visible(title, false)) + "</title>\n<style>\n" + std::string(style) +
           "</style>\n</head>\n<body>\n";
}

std::string isolated(std::string_view text) {
    return "<bdi>" + html_text(visible(text, false)) + "</bdi>";
}

std::string page_end() {
    return "</body>\n</html>\n";
}

}  // namespace report
