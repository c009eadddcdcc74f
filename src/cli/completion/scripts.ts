/** The shells that have a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** `cms complete` prints this instead of candidates if the shell should complete file names. */
export const PATH_DIRECTIVE = ':path';

/**
 * bash splits words at ":" and "=". The script therefore splits the line itself and removes the part before
 * the last separator from each candidate.
 */
const BASH = `_cms() {
  local line="\${COMP_LINE:0:COMP_POINT}" current prefix value
  local -a words
  read -r -a words <<< "$line"
  [[ "$line" == *[[:space:]] ]] && words+=("")
  current="\${words[\${#words[@]}-1]}"
  prefix="\${current%"\${current##*[:=]}"}"
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    if [[ "$value" == "${PATH_DIRECTIVE}" ]]; then
      compopt -o filenames 2>/dev/null
      local IFS=$'\\n'
      COMPREPLY=($(compgen -f -- "\${current#*=}"))
      return
    fi
    COMPREPLY+=("\${value#"$prefix"}")
  done < <(cms complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -F _cms cms
`;

const ZSH = `#compdef cms
_cms() {
  local -a lines candidates
  local line value description
  lines=("\${(@f)$(cms complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $lines; do
    if [[ "$line" == "${PATH_DIRECTIVE}" ]]; then
      _files
      return
    fi
    value="\${line%%$'\\t'*}" description="\${line#*$'\\t'}"
    candidates+=("\${value//:/\\\\:}\${description:+:$description}")
  done
  (( $#candidates )) && _describe -V cms candidates
}
if [ "$funcstack[1]" = "_cms" ]; then
  _cms "$@"
else
  compdef _cms cms
fi
`;

const FISH = `function __cms_complete
  set -l words (commandline -opc)
  set -e words[1]
  set -l current (commandline -ct)
  set -l lines (cms complete -- $words "$current" 2>/dev/null)
  if test "$lines" = "${PATH_DIRECTIVE}"
    __fish_complete_path "$current"
  else
    printf '%s\\n' $lines
  end
end
complete -c cms -f -a '(__cms_complete)'
`;

const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

/** Returns the script that makes a shell complete `cms`. */
export function printCompletionScript(shell: Shell): string {
  return SCRIPTS[shell];
}
