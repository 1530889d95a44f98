import { quoted } from '../../shared/base/shell-words.ts';
import { branch, choiceBranches, linesBefore, pathsBelow } from './cases.ts';
import type { DescribedCommand } from './describe-commands.ts';

/** Works in bash 3.2, which macOS has. */
export const bashScript = (commands: readonly DescribedCommand[]): string => `# bash completion for drover
_drover() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} where=drover index
  local words='' flags='' arguments=''
  # Readline makes three words of --flag=value.
  if [[ $current == = ]]; then
    current=''
  elif [[ $previous == = ]]; then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$where \${COMP_WORDS[index]}" in
${branch(pathsBelow(commands), 'where="$where ${COMP_WORDS[index]}"')}${branch(
  linesBefore(commands, () => true),
  'index=$((index + 1))',
)}    esac
  done
  local IFS=$'\\n'
  case "$where $previous" in
${choiceBranches(commands, (choices) => `COMPREPLY=($(compgen -W ${quoted(choices.join('\n'))} -- "$current")); return`)}${branch(
  linesBefore(commands, ({ kind }) => kind === 'file'),
  'COMPREPLY=($(compgen -f -- "$current")); return',
)}${branch(
  linesBefore(commands, ({ kind }) => kind === 'folder'),
  'COMPREPLY=($(compgen -d -- "$current")); return',
)}${branch(
  linesBefore(commands, ({ kind }) => kind === 'text'),
  'COMPREPLY=(); return',
)}  esac
  case "$where" in
${commands.map(commandBranch).join('')}  esac
  if [[ $current == -* || -z $words$arguments ]]; then words=$flags arguments=''; fi
  COMPREPLY=($(compgen -W "$words" -- "$current") $(\${arguments:-true} -- "$current"))
}
complete -F _drover drover
`;

const fileArguments = { file: 'compgen -f', folder: 'compgen -d', text: '', choices: '' } as const;

function commandBranch({ path, commands, flags, argument }: DescribedCommand): string {
  const words = [
    ...commands.map(({ name }) => name),
    ...(argument.kind === 'choices' ? argument.choices : []),
  ];
  const body = `words=${quoted(words.join('\n'))} flags=${quoted(flags.map(({ long }) => `--${long}`).join('\n'))}`;
  return branch([path], `${body} arguments=${quoted(fileArguments[argument.kind])}`);
}
