import { quoted } from '../../../shared/base/shell-words.ts';
import type { BootScripts } from './boot-scripts.ts';
import { type MachineFile, warmPoolScriptPath } from './machine-file.ts';
import type { NodeSettings } from './settings.ts';

const settingsLine = '# -- settings --';

type Assignments = Readonly<Record<string, string | readonly string[]>>;

/** Assignments of a shell script; whatever the values contain, a shell reads them back unchanged. Pure. */
export const assignmentsText = (assignments: Assignments): string =>
  Object.entries(assignments)
    .map(([name, value]) =>
      typeof value === 'string'
        ? `readonly ${name}=${quoted(value)}`
        : `readonly -a ${name}=(${value.map(quoted).join(' ')})`,
    )
    .join('\n');

/** The script with which an instance gets its credential, with its settings, and then does what the flavour needs. Pure. */
export function bootScript(
  settings: NodeSettings,
  {
    scripts,
    part,
    assignments = {},
  }: {
    readonly scripts: BootScripts;
    readonly part: 'script' | 'kubeadm' | 'openshift';
    readonly assignments?: Assignments;
  },
): string {
  const common = {
    node_name_source: settings.nodeName,
    credential_parameter: settings.credentialParameter,
    fetch_seconds: String(settings.fetchSeconds),
    spread_seconds: String(settings.spreadSeconds),
  };
  const text = assignmentsText({ ...common, ...assignments });
  const [metadata, credential, own] = [scripts.metadata, scripts.credential, scripts[part]].map(uncommented);
  return `${metadata}`.replace(settingsLine, () => text) + credential + own;
}

/** EC2 takes 16,384 bytes, and the comments are for readers of this repository. The line of the settings, `#!` and who made it stay. */
const uncommented = (script = ''): string => script.replaceAll(/^[ \t]*# (?!-- |Made by ).*\n/gm, '');

/** What lets a service of the image wait while its instance is in a warm pool: a script, and the drop-in that runs it. Pure. */
export const warmPoolFiles = (service: string, scripts: BootScripts): readonly MachineFile[] => [
  {
    path: warmPoolScriptPath,
    permissions: '0755',
    content: uncommented(scripts.metadata).replace(`${settingsLine}\n`, '') + scripts['warm-pool'],
  },
  {
    path: `/etc/systemd/system/${service}.service.d/50-drover-warm-pool.conf`,
    permissions: '0644',
    content: `[Service]\nExecStartPre=${warmPoolScriptPath}\nTimeoutStartSec=infinity\n`,
  },
];
