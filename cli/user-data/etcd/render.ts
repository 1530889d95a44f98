import { stringify } from 'yaml';
import { shellWord } from '../../../shared/base/shell-words.ts';
import { compressedFile, ignitionFile, ignitionVersion } from '../ignition.ts';
import { type MemberSettings, settingsText, stateDirectory, type UserDataFormat } from './settings.ts';
import { scriptPath, unitPath, unitText } from './unit.ts';

interface Rendering {
  readonly settings: MemberSettings;
  /** The script that starts a member, with a line where its settings go. */
  readonly template: string;
}

const settingsLine = '# -- settings --';

/** The script that starts a member, complete. Pure. */
export const memberScript = ({ settings, template }: Rendering): string =>
  template.replace(settingsLine, () => settingsText(settings));

/** User data for cloud-init or Ignition, for the first boot and every later one. Pure. */
export function renderUserData(rendering: Rendering, format: UserDataFormat): string {
  const { settings } = rendering;
  if (format === 'ignition')
    return `${JSON.stringify({ ignition: ignitionVersion, ...memberIgnition(rendering, ignitionFile) })}\n`;
  const files = memberFiles(rendering);
  return format === 'script' ? shellScript(files, settings) : cloudConfig(files, settings);
}

/** The script that starts a member, and its unit. Pure. */
export const memberFiles = (rendering: Rendering) =>
  [
    { path: scriptPath, permissions: '0755', content: memberScript(rendering) },
    { path: unitPath, permissions: '0644', content: unitText(rendering.settings) },
  ] as const;

/** What to run once the files exist; every line may be run again. Pure. */
export const memberCommands = ({ dataDirectory }: MemberSettings): readonly (readonly string[])[] => [
  ['sh', '-c', 'id etcd >/dev/null 2>&1 || useradd --system --shell /usr/sbin/nologin etcd'],
  ['install', '-d', '-o', 'etcd', '-m', '0700', stateDirectory, dataDirectory],
  ['systemctl', 'daemon-reload'],
  ['systemctl', 'enable', 'etcd.service'],
  ['systemctl', 'restart', '--no-block', 'etcd.service'],
];

interface File {
  readonly path: string;
  readonly permissions: string;
  readonly content: string;
}

const cloudConfig = (files: readonly File[], settings: MemberSettings): string =>
  `#cloud-config\n${stringify({ write_files: files, runcmd: memberCommands(settings) }, { lineWidth: 0 })}`;

/**
 * What an Ignition configuration of a member has. The script is in the folder of etcd, because `/usr/local` of Flatcar is read-only. Ignition creates users before
 * files, and directories before the files in them. Pure.
 */
export function memberIgnition(rendering: Rendering, file: typeof ignitionFile | typeof compressedFile) {
  const { settings } = rendering;
  const path = `${settings.etcdPath.slice(0, settings.etcdPath.lastIndexOf('/'))}/drover-etcd`;
  const directories = [stateDirectory, settings.dataDirectory];
  return {
    passwd: { users: [{ name: 'etcd', system: true, shell: '/usr/sbin/nologin' }] },
    storage: {
      directories: directories.map((one) => ({ path: one, user: { name: 'etcd' }, mode: 0o700 })),
      files: [file({ path, mode: 0o755, text: memberScript(rendering) })],
    },
    systemd: { units: [{ name: 'etcd.service', enabled: true, contents: unitText(settings, path) }] },
  };
}

const shellScript = (files: readonly File[], settings: MemberSettings): string => `#!/bin/bash
set -euo pipefail
${files.map(writing).join('')}${memberCommands(settings)
  .map((words) => `${words.map(shellWord).join(' ')}\n`)
  .join('')}`;

const writing = ({ path, permissions, content }: File): string =>
  `cat >${path} <<'DROVER'\n${content}DROVER\nchmod ${permissions} ${path}\n`;
