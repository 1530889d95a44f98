import { isDrovers, readDroversScript, readFileContent } from '../file-content.ts';
import { fact, merged, noSettings, nothing, type Reading } from '../reading.ts';
import { redacted, secretsIn } from '../redact.ts';
import { commandsOf, type ShellCommand } from '../shell-lines.ts';
import { readBootstrap } from './bootstrap.ts';
import { readKubeadm } from './kubeadm.ts';

/** A shell script, which the kernel runs by its first line. Pure. */
export const readScript = (script: string): Reading => {
  const [, program = 'sh'] = /^\s*#! *(?:\S*\/)?(?:env +(?:-\S+ +)*)?([\w.+-]+)/.exec(script) ?? [];
  if (!/^(?:ba|da|a|k|z)?sh$/.test(program))
    return {
      ...nothing,
      facts: [fact('a program', program, 'in another language than that of shells: not explained')],
      unread: [redacted(`a program ${program}`)],
      credentials: secretsIn(script).map((kind) => `the script holds ${kind}`),
    };
  const reading = readShell(script);
  return { ...reading, faults: [...firstLineFaults(script), ...reading.faults] };
};

/**
 * What commands of a shell do about Kubernetes, and which other programs they run. `from` names what has the commands; without it they are
 * named by their lines. Pure.
 */
export function readShell(script: string, from?: string): Reading {
  if (isDrovers(script)) return readDroversScript('the script', script);
  const commands = commandsOf(script)
    .map(withoutPrefix)
    .map((command) => ({ command, reading: readCommand(command, from ?? `line ${command.line}`) }));
  const unknown = commands.filter(({ reading }) => reading === undefined);
  const others = [...new Set(unknown.map(({ command }) => programOf(command.words)))].filter(
    (name) => isProgram(name) && !keywords.has(name),
  );
  return merged([
    ...commands.map(({ reading }) => reading ?? nothing),
    {
      ...nothing,
      facts:
        others.length === 0
          ? []
          : [fact('other commands', others.join(', '), 'not explained: read them in the script')],
      credentials: secretsIn(script).map((kind) => `${from ?? 'the script'} holds ${kind}`),
    },
  ]);
}

/** cloud-init finds the type of a script behind empty lines; the kernel does not run it then. */
function firstLineFaults(script: string): readonly string[] {
  if (/^#![^\n]*\r(?!\n)/.test(script))
    return ['its lines end with a carriage return and no line feed, so the kernel cannot run the script'];
  if (script.startsWith('#!')) return [];
  if (/^\s+#!/.test(script)) return ['text precedes #!, so the kernel cannot run the script'];
  return ['its first line is not #! and a shell, so cloud-init cannot run it (Exec format error)'];
}

const keywords: ReadonlySet<string> = new Set(
  'if then else elif fi for while until do done case esac function return exit set shift local export readonly echo printf true false test [ [[ { } : cd trap source .'.split(
    ' ',
  ),
);

/** A word that is not a name, as on a line of an array or of the input of a program, may be a credential. */
const isProgram = (name: string): boolean =>
  /^[a-z][\w.+-]{0,31}$/.test(name) && !/[A-Z]/.test(name) && (name.match(/\d/g)?.length ?? 0) <= 4;

const verb = /^[a-z][a-z-]{1,40}$/;

const programOf = ([first = '']: readonly string[]): string => first.split('/').at(-1) ?? '';

const prefixes: ReadonlySet<string> = new Set([
  'sudo',
  'exec',
  'if',
  'then',
  'do',
  'else',
  'while',
  'until',
  '!',
  'elif',
  'nohup',
  'time',
  '{',
]);

/** `sudo`, and keywords of the shell before a command; before bootstrap.sh also a shell, and variables of `env`. */
function withoutPrefix(command: ShellCommand): ShellCommand {
  const { words } = command;
  const bootstrap = words.findIndex((word) => word.endsWith('eks/bootstrap.sh'));
  const isRun = words.slice(0, Math.max(bootstrap, 0)).every((word) => runner.test(word));
  const first =
    bootstrap > 0 && isRun
      ? bootstrap
      : words.findIndex((word) => !prefixes.has(word) && !/^-[A-Za-z]$/.test(word));
  return { ...command, words: first < 0 ? [] : words.slice(first) };
}

const runner =
  /^(?:(?:\/usr)?(?:\/bin\/)?(?:ba|da)?sh|(?:\/usr\/bin\/)?env|sudo|exec|nohup|time|if|then|do|else|elif|while|until|!|\{|-\w+|[A-Za-z_]\w*=.*)$/;

function readCommand({ words, input }: ShellCommand, at: string): Reading | undefined {
  const [, second = '', third = ''] = words;
  const program = programOf(words);
  const path = writtenPath(words);
  if (input !== undefined && path !== undefined)
    return readFileContent({ path, mode: '', content: input, from: at, readScript });
  if (program === 'bootstrap.sh' && words[0]?.includes('eks')) return readBootstrap(words.slice(1), at);
  if (program === 'kubeadm') return readKubeadm(words.slice(1), at);
  if (program === 'nodeadm' && verb.test(second))
    return says(`${at}: nodeadm ${second}`, 'becomes a node of EKS from its NodeConfig');
  if (program === 'aws' && /^[a-z][a-z0-9-]{1,40}$/.test(second) && verb.test(third.replace(/\d/, '')))
    return says(
      `${at}: aws ${second} ${third}`,
      awsMeanings[`${second} ${third}`] ?? 'calls AWS with the role of the instance',
    );
  if (program === 'systemctl' && third === '') return nothing;
  if (program === 'systemctl' && verb.test(second) && /^[\w@.-]+$/.test(third))
    return says(
      `${at}: systemctl ${second}`,
      'acts on this unit of systemd',
      words
        .slice(2)
        .filter((word) => !word.startsWith('-'))
        .join(' '),
    );
  if (program === 'ansible-playbook' && words.some((word) => word.includes('openshift_bootstrap')))
    return {
      ...says(
        `${at}: ansible-playbook`,
        'becomes a node of OpenShift 3.11',
        words.find((word) => word.includes('openshift_bootstrap')),
      ),
      joins: [{ by: 'openshift-ansible', ...noSettings }],
    };
  if (program === 'cfn-signal')
    return says(`${at}: cfn-signal`, 'reports to CloudFormation that the machine is ready');
  if (/^(?:shutdown|poweroff|halt)$/.test(program))
    return {
      ...says(`${at}: ${program}`, 'turns the machine off'),
      faults: [
        `${at} turns the machine off: no lifecycle hook of a termination begins before Auto Scaling notices it`,
      ],
    };
  return undefined;
}

/** `cat >FILE <<END` and `tee FILE <<END`. */
function writtenPath(words: readonly string[]): string | undefined {
  const text = words.join(' ');
  const [, path] =
    (programOf(words) === 'tee' ? /^\S+ (?:-\S+ )*([^\s<>]+)/ : /^cat [^>]*>{1,2} *([^\s<>]+)/).exec(text) ??
    [];
  return path;
}

const awsMeanings: Readonly<Record<string, string>> = {
  'ssm get-parameter': 'reads a parameter, with the role of the instance',
  's3 cp': 'copies from or to S3, with the role of the instance',
  'autoscaling complete-lifecycle-action': 'ends the wait of a lifecycle hook',
  'ecr get-login-password': 'signs in to the registry of the account',
  'eks describe-cluster': 'asks EKS for the cluster',
};

const says = (what: string, meaning: string, value?: string): Reading => ({
  ...nothing,
  facts: [fact(what, value, meaning)],
});
