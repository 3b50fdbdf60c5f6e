//! What is done on the other side. Every script reads its mark and its words from standard input first.

/// `M` is the mark; `word` reads the next word into `W`; `say` ends a record; `real` finds the real path of `$1`
/// and leaves it in `R`, the part that does not exist as it was written.
pub(super) const PRELUDE: &str = r#"LC_ALL=C; export LC_ALL; set -f; L= NL='
'
IFS= read -r M || exit 3
say() { printf '\n%s %s\n' "$M" "$*"; }
decode() { W=$(printf '%bx' "$1"); W=${W%x}; }
word() { IFS= read -r W || exit 3; decode "$W"; }
real() {
  q=$1 t=
  while ! R=$(readlink -f -- "$q" 2>/dev/null && printf x); do
    if [ -L "$q" ]; then printf %s "$q"; say dangling; exit 0; fi
    t=/${q##*/}$t; q=${q%/*}; [ -n "$q" ] || q=/
  done
  R=${R%"${NL}x"}; [ "$R" = / ] && [ -n "$t" ] && R=
  R=$R$t
}
enter() { cd -P -- "$1" && [ "$(pwd -P; printf x)" = "$1${NL}x" ]; }
say begin
"#;

/// Where the home and the work folder are, and what stands at a path; with a number of bytes also the content, if it
/// is a file of no more, and what is opened is what was found.
pub(super) const LOCATE: &str = r#"
expand() { case $1 in '~') P=${HOME:-/} ;; '~/'*) P=${HOME:-}/${1#'~/'} ;; /*) P=$1 ;; *) P=$2/$1 ;; esac; }
word; D=$W; word; P=$W; word; N=$W; W=$P
real "${HOME:-/}"; H=$R; printf %s "$H"; say home
expand "$D" "$H"; real "$P"; D=$R; printf %s "$D"; say work
expand "$W" "$D"; real "$P"; printf %s "$R"
[ -e "$R" ] || { say nothing; exit 0; }
s=$(stat -c '%f %s %Y %h' -- "$R") && say at "$s" && [ -n "$N" ] && [ -f "$R" ] || exit 0
set -- $s; [ "$2" -le "$N" ] || exit 0
exec 3<"$R" || exit 0
o=$(readlink "/proc/$$/fd/3"; printf x)
if [ "$o" = "$R${NL}x" ] || [ ! -d /proc/self/fd ]; then head -c $((N + 1)) <&3 && say content; fi
"#;

/// The content of one file, if what is opened is what was judged.
pub(super) const READ: &str = r#"
word; F=$W; word; N=$W
[ -f "$F" ] || { say changed; exit 0; }
exec 3<"$F" || exit 1
o=$(readlink "/proc/$$/fd/3"; printf x)
if [ "$o" != "$F${NL}x" ] && [ -d /proc/self/fd ]; then say changed; exit 0; fi
head -c "$N" <&3 && say content
"#;

/// The contents of many files, whose paths follow, each ended by a NUL.
pub(super) const READ_MANY: &str = r#"
word; N=$W
xargs -0 sh -c "$EACH" "$M" "$N" && say end
"#;

/// What `READ_MANY` does with each.
pub(super) const EACH: &str = r#"M=$0 N=$1; shift
NL='
'
for f; do
  r=gone
  [ -f "$f" ] && [ ! -L "$f" ] && {
    o=$(readlink "/proc/$$/fd/3"; printf x)
    if [ "$o" = "$f${NL}x" ] || [ ! -d /proc/self/fd ]; then head -c "$N" <&3 && r=content; fi
  } 3<"$f"
  printf '\n%s %s\n' "$M" "$r"
done 2>/dev/null
exit 0"#;

/// Everything below a folder; links get a second record with where they lead; with `above`, the ignore rules of
/// the folders above, up to the top of a repository.
pub(super) const TREE: &str = r#"
word; F=$W; word; depth=${W:+-maxdepth $W}; word; skip=$W; word; links=$W; word; above=$W
case $skip in hidden) skip='-o -type d -name .?*' ;; git) skip='-o -type d -name .git' ;; *) skip= ;; esac
below() { find "$F" -mindepth 1 $depth \( -path /proc -o -path /sys -o -path /dev $skip \) -prune -o "$@" -print0; }
enter "$F" || { say changed; exit 0; }
below -name '*' | xargs -0 stat -c "%n${NL}$M %f %s %Y" -- 2>/dev/null
if [ -n "$links" ]; then
  below -type l 2>/dev/null |
    xargs -0 sh -c 'M=$0; for f; do printf "%s\n%s link\n" "$f" "$M"; readlink -n -- "$f"; printf "\n%s to\n" "$M"; done' "$M"
fi
if [ -n "$above" ]; then
  d=$F; while [ ! -e "$d/.git" ] && [ -n "$d" ]; do d=${d%/*}; done
  if [ -e "$d/.git" ]; then
    top=$d; d=$F; n=0
    while [ "$d" != "$top" ]; do
      d=${d%/*}; n=$((n + 1))
      for f in .ignore .gitignore; do
        [ -f "$d/$f" ] && [ ! -L "$d/$f" ] && { head -c 1048576 "$d/$f"; say rules "$n" "$f"; }
      done
    done
  fi
fi
say end
"#;

/// A new content beside the file it is for. Says how many folders had to be made. `L` is for [`COMMIT`], where that
/// follows at once.
pub(super) const STAGE: &str = r#"
word; d=$W; word; t=$W; word; size=$W; word; make=$W; word; private=$W; word; L=$W
k=0
if [ ! -d "$d" ]; then
  [ -n "$make" ] || { say nofolder; exit 0; }
  p=$d; while [ ! -e "$p" ] && [ -n "$p" ]; do p=${p%/*}; k=$((k + 1)); done
  mkdir -p -- "$d" || exit 1
fi
enter "$d" || { say changed; exit 0; }
[ -z "$private" ] || umask 077
set -C
cat >"./$t" && [ "$(wc -c <"./$t")" -eq "$size" ] || { rm -f "./$t"; exit 1; }
sync "./$t" 2>/dev/null || sync
say staged "$k"
"#;

/// Takes back what was staged and the folders that were made for it, as far as they are empty.
pub(super) const ABANDON: &str = r#"
while read -r d t k; do
  decode "$d"; d=$W; decode "$t"; t=$W
  rm -f -- "$d/$t"
  while [ "$k" -gt 0 ]; do rmdir -- "$d" 2>/dev/null || break; d=${d%/*}; k=$((k - 1)); done
done
say abandoned
"#;

/// Looks at every file once more and then changes all of them, or none. A lost connection does not stop it
/// half way.
pub(super) const COMMIT: &str = r#"
trap '' HUP PIPE INT TERM
[ -n "$L" ] || L=$(cat)
home=${HOME:-/}
if command -v flock >/dev/null && [ -r "$home" ]; then
  exec 9<"$home"
  n=0; until flock -n 9; do n=$((n + 1)); [ $n -lt 100 ] || { say busy; exit 0; }; sleep 0.1; done
fi
hash() { if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi | cut -c1-64; }
# d: folder, n: name, t: temporary name, l: whose mode and owner a new file gets
take() { decode "$1"; d=$W; decode "$2"; n=$W; decode "$3"; t=$W; l=; [ "$4" = - ] || { decode "$4"; l=$W; }; enter "$d"; }
like() { chown "$(stat -c %u:%g -- "$1")" "./$t" 2>/dev/null; chmod "$(stat -c %a -- "$1" | sed 's/.*\(...\)$/\1/')" "./$t"; }
i=0
while read -r op expected a b c e; do
  take "$a" "$b" "$c" "$e" || { say changed $i; exit 0; }
  if [ -L "./$n" ]; then say changed $i; exit 0; fi
  if [ -e "./$n" ]; then
    [ -d "./$n" ] && { say folder $i; exit 0; }
    [ -f "./$n" ] || { say special $i; exit 0; }
    [ "$expected" != absent ] || { say exists $i; exit 0; }
    [ -w "./$n" ] || { say denied $i; exit 0; }
    if [ "$expected" != any ]; then
      found=$(hash <"./$n")
      [ "$found" = "$expected" ] || { say stale $i "$found"; exit 0; }
    fi
    [ "$op" = drop ] || like "./$n" || exit 1
  else
    [ "$expected" = absent ] || { say gone $i; exit 0; }
    [ -z "$l" ] || like "$l" || exit 1
  fi
  i=$((i + 1))
done <<END
$L
END
change() {
  if [ -e "./$n" ]; then
    if [ "$op" = drop ]; then mv -f -- "./$n" "./$t.old"; return; fi
    ln -- "./$n" "./$t.old" 2>/dev/null || cp -p -- "./$n" "./$t.old" || return
    mv -f -- "./$t" "./$n"
  else
    [ "$op" = put ] || return 1
    if ln -- "./$t" "./$n" 2>/dev/null; then rm -f -- "./$t"; else [ ! -e "./$n" ] && mv -- "./$t" "./$n"; fi
  fi
}
did= stuck= failed=
while read -r op expected a b c e; do
  take "$a" "$b" "$c" "$e" && change || { failed=1; break; }
  did="$op $expected $a $b $c $e$NL$did"
done <<END
$L
END
while read -r op expected a b c e; do
  [ -n "$op" ] || continue
  take "$a" "$b" "$c" "$e" || { stuck=1; continue; }
  if [ -z "$failed" ]; then rm -f -- "./$t.old"; sync . 2>/dev/null || sync
  elif [ "$expected" = absent ]; then rm -f -- "./$n" || stuck=1
  else mv -f -- "./$t.old" "./$n" || stuck=1
  fi
done <<END
$did
END
if [ -n "$stuck" ]; then say stuck; elif [ -n "$failed" ]; then say failed; else say done; fi
"#;
