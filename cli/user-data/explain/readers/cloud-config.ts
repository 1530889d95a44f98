import { shellWord } from '../../../../shared/base/shell-words.ts';
import { unpacked } from '../../gzip.ts';
import { readFileContent } from '../file-content.ts';
import { fact, merged, nothing, type Reading } from '../reading.ts';
import { secretsIn } from '../redact.ts';
import { type Fields, fieldsOf, listOf, scalarOf, textsOf, yamlMaps } from '../yaml-map.ts';
import { readScript, readShell } from './script.ts';

/** The modules of cloud-init that user data of nodes commonly has (cloud-init documentation, "Module reference"). */
const modules: Readonly<Record<string, string>> = {
  packages: 'installs packages, at the first boot',
  package_update: 'reads the lists of packages',
  package_upgrade: 'upgrades every package: nodes of one image differ by the day of their boot',
  package_reboot_if_required: 'reboots if packages ask for it',
  users: 'makes users',
  ssh_authorized_keys: 'keys that may sign in by SSH',
  hostname: 'the host name, which is the name of the Node if the kubelet has no other',
  fqdn: 'the whole host name',
  preserve_hostname: 'whether cloud-init leaves the host name',
  ntp: 'time servers',
  mounts: 'what is mounted',
  disk_setup: 'partitions of disks',
  fs_setup: 'file systems of disks',
  swap: 'swap, with which a kubelet does not start unless it is configured for it',
  power_state: 'turns the machine off or reboots it when cloud-init ends',
  yum_repos: 'repositories of packages',
  apt: 'repositories of packages',
  ca_certs: 'authorities that the system trusts',
  snap: 'installs snaps',
};

/** A cloud-config of cloud-init. Pure. */
export const readCloudConfig = (text: string): Reading =>
  merged(
    yamlMaps(text).map((document) =>
      typeof document === 'string'
        ? { ...nothing, faults: [`${document}; cloud-init then ignores the whole cloud-config`] }
        : readModules(document),
    ),
  );

const readModules = (document: Fields): Reading =>
  merged(
    Object.entries(document).map(([name, value]) => {
      if (name === 'write_files') return merged(listOf(value).map((one) => readFile(fieldsOf(one))));
      if (name === 'runcmd' || name === 'bootcmd') return readCommands(name, value);
      const meaning = modules[name] ?? 'a module of cloud-init that is not explained here';
      return {
        ...nothing,
        facts: [fact(name, brief(name, value), meaning)],
        credentials: credentialsOf(name, value),
      };
    }),
  );

/** Values of modules that hold no secrets by their kind; of others only how many there are. */
function brief(name: string, value: unknown): string {
  if (/^(?:packages|package_\w+|hostname|fqdn|preserve_hostname|mounts)$/.test(name))
    return (textsOf(value).join(', ') || (scalarOf(value) ?? '')).replaceAll(/[?#][^\s,]*/g, '');
  if (Array.isArray(value)) return `(${value.length})`;
  return scalarOf(value) === undefined ? '(set)' : `(${String(value).length} characters)`;
}

/** Of modules that are not opened further. Lists of chpasswd have `NAME:PASSWORD`, or R for a random one. */
function credentialsOf(name: string, value: unknown): readonly string[] {
  const list = fieldsOf(value).list;
  const lines = typeof list === 'string' ? list.split('\n') : textsOf(list);
  if (name === 'chpasswd' && lines.some((line) => /:(?!R$|RANDOM$|\$)\S/.test(line.trim())))
    return ['chpasswd holds a password or a key'];
  return secretsIn(JSON.stringify({ [name]: value })).map((kind) => `${name} holds ${kind}`);
}

function readFile(file: Fields): Reading {
  const path = scalarOf(file.path) ?? '(no path)';
  const encoding = (scalarOf(file.encoding) ?? '').toLowerCase().trim();
  return readFileContent({
    path,
    mode: (scalarOf(file.permissions) ?? '0644').slice(0, 6),
    content: decoded(file.content, encoding),
    from: 'write_files',
    readScript,
  });
}

/** The encodings of cloud-init, which takes one that it does not know for text; undefined if it cannot be unpacked. */
function decoded(content: unknown, encoding: string): string | undefined {
  const bytes =
    content instanceof Uint8Array
      ? content
      : Buffer.from(scalarOf(content) ?? '', /(?:^|\+)(?:b64|base64)$/.test(encoding) ? 'base64' : 'utf8');
  return encoding.startsWith('gz') ? unpacked(bytes) : Buffer.from(bytes).toString('utf8');
}

/** Each command is a text for the shell, or a list of words. */
function readCommands(name: string, value: unknown): Reading {
  const script = listOf(value)
    .map((one) =>
      Array.isArray(one)
        ? one.map((word) => shellWord(scalarOf(word) ?? '')).join(' ')
        : (scalarOf(one) ?? ''),
    )
    .join('\n');
  return readShell(script, name);
}
