import { quoted } from '../../../shared/base/shell-words.ts';
import type { BootScripts } from './boot-scripts.ts';
import { bootScriptPath, type MachineFile, warmPoolScriptPath } from './machine-file.ts';
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
    functions = [],
    assignments = {},
  }: {
    readonly scripts: BootScripts;
    readonly part: 'script' | 'kubeadm' | 'openshift';
    /** Functions that the part calls. */
    readonly functions?: readonly ('beside' | 's3')[];
    readonly assignments?: Assignments;
  },
): string {
  const common = {
    node_name_source: settings.nodeName,
    credential_parameter: settings.credentialParameter,
    fetch_seconds: String(settings.fetchSeconds),
    spread_seconds: String(settings.spreadSeconds),
    launch_hook: settings.joiningHook,
  };
  const text = assignmentsText({ ...common, ...assignments });
  const parts = [
    ...(part === 'script' ? [] : [scripts['leave-pool']]),
    scripts.credential,
    ...functions.map((name) => scripts[name]),
    scripts[part],
  ];
  return withSettings(scripts.metadata, text) + parts.map(uncommented).join('');
}

const withSettings = (metadata: string, settings: string): string =>
  uncommented(metadata).replace(settingsLine, () => settings);

/** EC2 takes 16,384 bytes, and the comments are for readers of this repository. The line of the settings, `#!` and who made it stay. */
export const uncommented = (script = ''): string => script.replaceAll(/^[ \t]*# (?!-- |Made by ).*\n/gm, '');

/** The drop-in with which a service of the image runs a command before it starts, which waits while its instance is in a warm pool. Pure. */
export const warmPoolDropIn = (service: string, command = `${bootScriptPath} leave-pool`): MachineFile => ({
  path: `/etc/systemd/system/${service}.service.d/50-drover-warm-pool.conf`,
  permissions: '0644',
  content: `[Service]\nExecStartPre=${command}\nTimeoutStartSec=infinity\n`,
});

/** The drop-in and its script, for flavours without another boot script. Pure. */
export const warmPoolFiles = (
  service: string,
  scripts: BootScripts,
  { joiningHook }: Pick<NodeSettings, 'joiningHook'>,
): readonly MachineFile[] => [
  {
    path: warmPoolScriptPath,
    permissions: '0755',
    content: `${withSettings(scripts.metadata, assignmentsText({ launch_hook: joiningHook }))}\nleave_warm_pool\n`,
  },
  warmPoolDropIn(service, warmPoolScriptPath),
];
