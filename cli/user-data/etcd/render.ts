import { stringify } from 'yaml';
import { shellWord } from '../../../shared/base/shell-words.ts';
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

/** User data for cloud-init, for the first boot and every later one. Pure. */
export function renderUserData(rendering: Rendering, format: UserDataFormat): string {
  const { settings } = rendering;
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

const shellScript = (files: readonly File[], settings: MemberSettings): string => `#!/bin/bash
set -euo pipefail
${files.map(writing).join('')}${memberCommands(settings)
  .map((words) => `${words.map(shellWord).join(' ')}\n`)
  .join('')}`;

const writing = ({ path, permissions, content }: File): string =>
  `cat >${path} <<'DROVER'\n${content}DROVER\nchmod ${permissions} ${path}\n`;
