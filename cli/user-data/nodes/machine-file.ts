import { stringify } from 'yaml';

/** A file that user data writes before anything runs. */
export interface MachineFile {
  readonly path: string;
  readonly permissions: '0755' | '0644' | '0640' | '0600';
  readonly content: string;
}

export const bootScriptPath = '/usr/local/sbin/drover-node';

export const yamlText = (value: unknown): string => stringify(value, { lineWidth: 0 });

/** A cloud-config of cloud-init. Pure. */
export const cloudConfig = (
  files: readonly MachineFile[],
  commands: readonly (readonly string[])[],
): string =>
  `#cloud-config\n${yamlText({
    write_files: files.map(({ path, permissions, content }) => ({
      path,
      owner: 'root:root',
      permissions,
      content,
    })),
    runcmd: commands,
  })}`;

export const warmPoolScriptPath = '/usr/local/sbin/drover-warm-pool';

/** The commands of a shell script that write the file. No line of a file is the word that ends it. Pure. */
export const writing = ({ path, permissions, content }: MachineFile): string =>
  `mkdir -p ${path.slice(0, path.lastIndexOf('/'))}\ncat >${path} <<'DROVER'\n${content}DROVER\nchmod ${permissions} ${path}\n`;
