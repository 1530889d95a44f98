import { isDrovers, readDroversScript, readFileContent } from '../file-content.ts';
import { readKubeletFlags } from '../kubelet-flags.ts';
import { type Fact, fact, type Join, merged, nothing, type Reading } from '../reading.ts';
import { secretsIn } from '../redact.ts';
import { commandsOf, type ShellCommand } from '../shell-lines.ts';
import { flagsOf } from './flags.ts';
import { readKubeadm } from './kubeadm.ts';

/** The flags of bootstrap.sh of Amazon Linux 2 (awslabs/amazon-eks-ami, `templates/al2/runtime/bootstrap.sh`). */
const bootstrapFlags: Readonly<Record<string, string>> = {
  '--b64-cluster-ca':
    'the authority of the cluster, for the kubeconfig of the kubelet; without it the node asks EKS',
  '--apiserver-endpoint': 'the API server, for the kubeconfig of the kubelet; without it the node asks EKS',
  '--dns-cluster-ip':
    'the name server of pods; without it 172.20.0.10 where the VPC is in 10.0.0.0/8, and 10.100.0.10 elsewhere',
  '--kubelet-extra-args': 'more flags of the kubelet',
  '--use-max-pods': 'false: the number of pods is not that of the table of instance types on the image',
  '--enable-docker-bridge': 'whether Docker has its bridge network',
  '--aws-api-retry-attempts': 'how often the node asks EKS for the cluster',
  '--docker-config-json': 'the configuration of Docker',
  '--containerd-config-file': 'the configuration of containerd',
  '--container-runtime': 'containerd or dockerd; only containerd from Kubernetes 1.24 on',
  '--pause-container-account': 'the account with the image of the pause container',
  '--pause-container-version': 'the version of the pause container',
  '--ip-family': 'ipv4 or ipv6',
  '--service-ipv6-cidr': 'the addresses of services, with IPv6',
  '--enable-local-outpost': 'the control plane runs on an Outpost',
  '--cluster-id': 'the cluster on an Outpost',
  '--mount-bpf-fs': 'whether /sys/fs/bpf is mounted',
  '--local-disks': 'what local disks become: raid0, raid10 or mount',
};

/** A shell script, which the kernel runs by its first line. Pure. */
export const readScript = (script: string): Reading => {
  const [, program = 'sh'] = /^\s*#! *(?:\S*\/)?(?:env +(?:-\S+ +)*)?([\w.+-]+)/.exec(script) ?? [];
  if (!/^(?:ba|da|a|k|z)?sh$/.test(program))
    return {
      ...nothing,
      facts: [fact('a program', program, 'in another language than that of shells: not explained')],
      credentials: secretsIn(script).map((kind) => `the script holds ${kind}`),
    };
  const reading = readShell(script);
  return { ...reading, faults: [...firstLineFaults(script), ...reading.faults] };
};

/** What commands of a shell do about Kubernetes, and which other programs they run. Pure. */
export function readShell(script: string): Reading {
  if (isDrovers(script)) return readDroversScript('the script', script);
  const commands = commandsOf(script).map(withoutPrefix);
  const found = commands.map((command) => readCommand(command) ?? nothing);
  const others = [
    ...new Set(
      commands.filter((command) => readCommand(command) === undefined).map(({ words }) => programOf(words)),
    ),
  ].filter((name) => isProgram(name) && !keywords.has(name));
  const kinds = secretsIn(script);
  return merged([
    ...found,
    {
      ...nothing,
      facts:
        others.length === 0
          ? []
          : [fact('other commands', others.join(', '), 'not explained: read them in the script')],
      credentials: kinds.map((kind) => `the script holds ${kind}`),
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

function readCommand({ line, words, input }: ShellCommand): Reading | undefined {
  const [, second = '', third = ''] = words;
  const at = `line ${line}`;
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
      joins: [{ ...noSettings, by: 'openshift-ansible' }],
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

const noSettings = { labels: [], taints: [], kubeletFlags: [] } as const;

/** Flags of bootstrap.sh that the flavour gives too. */
const carried: ReadonlySet<string> = new Set([
  '--b64-cluster-ca',
  '--apiserver-endpoint',
  '--dns-cluster-ip',
  '--kubelet-extra-args',
  '--use-max-pods',
  '--ip-family',
  '--service-ipv6-cidr',
]);

function readBootstrap(words: readonly string[], at: string): Reading {
  const flags = flagsOf(words);
  const [cluster] = flags.operands;
  const extra = readKubeletFlags(
    // A substitution is one word.
    (flags.named.get('--kubelet-extra-args') ?? '').match(/(?:\$\([^()]{0,500}\)|\S)+/g) ?? [],
  );
  const hasTable = flags.named.get('--use-max-pods') !== 'false';
  const facts: readonly Fact[] = [
    fact(
      `${at}: /etc/eks/bootstrap.sh`,
      cluster,
      'becomes a node of this cluster of EKS, with the role of the instance',
    ),
    ...[...flags.named]
      .filter(([name]) => name !== '--kubelet-extra-args')
      .map(([name, value]) =>
        fact(
          name,
          name === '--docker-config-json' || bootstrapFlags[name] === undefined
            ? `(${value.length} characters)`
            : value,
          bootstrapFlags[name] ?? 'bootstrap.sh does not know this flag',
        ),
      ),
    ...extra.facts,
  ];
  return {
    ...nothing,
    facts,
    joins: [
      {
        by: 'bootstrap.sh',
        ...(cluster !== undefined && { cluster }),
        ...named('endpoint', flags.named.get('--apiserver-endpoint')),
        ...named('serviceCidr', flags.named.get('--service-ipv6-cidr')),
        ...named('clusterDns', flags.named.get('--dns-cluster-ip')),
        ...named('maxPods', extra.maxPods),
        labels: extra.labels,
        taints: extra.taints,
        kubeletFlags: extra.others,
        others: [
          ...[...flags.named.keys()].filter((name) => !carried.has(name)),
          ...(hasTable || extra.maxPods !== undefined ? [] : ['--use-max-pods']),
          ...extra.unexplained,
        ],
      },
    ],
    faults: [
      ...extra.faults,
      ...(hasTable && extra.maxPods !== undefined
        ? [
            '--max-pods is given twice: without --use-max-pods false, bootstrap.sh gives the number of its table too',
          ]
        : []),
      ...(cluster === undefined ? [`${at} gives bootstrap.sh no cluster`] : []),
    ],
  };
}

const named = (key: keyof Join, value: string | undefined): Partial<Join> =>
  value === undefined ? {} : { [key]: value };
