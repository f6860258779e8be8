#!/bin/sh
# Says which of the named methods no judge has: methods.sh NAME,NAME,... JUDGE...
set -f  # a name may hold a star
names=$1
shift
all=$(for judge in "$@"; do "$judge" methods; done | tr -d ' ' | tr , '\n' | awk '!seen[$0]++' | paste -sd,)
for name in $(echo "$names" | tr , ' '); do
    case ",$all," in
        *",$name,"*) ;;
        *) echo "METHODS=$name: no lab has it; the methods are $(echo "$all" | sed 's/,/, /g')" >&2; exit 2 ;;
    esac
done
