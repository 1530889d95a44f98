import { parse } from 'yaml';

/** What the reader of user data makes of it: files, and then commands. */
export interface Delivery {
  readonly files: readonly { readonly path: string; readonly mode: string; readonly content: string }[];
  readonly commands: readonly (readonly string[])[];
}

const scriptPath = '/var/lib/cloud/instance/scripts/part-001';

/** As cloud-init and Ignition do it: no byte of a file is changed. Of MIME, only the part of cloud-init. Pure. */
export function deliveryOf(userData: string): Delivery {
  if (userData.startsWith('#!'))
    return {
      files: [{ path: scriptPath, mode: '0700', content: userData }],
      commands: [[scriptPath]],
    };
  if (userData.startsWith('{')) return ofIgnition(JSON.parse(userData));
  const [, part = userData] = /\n\n(#cloud-config\n[\s\S]*?)\n--/.exec(userData) ?? [];
  return ofCloudConfig(parse(part));
}

const ofCloudConfig = (config: {
  readonly write_files: readonly {
    readonly path: string;
    readonly permissions: string;
    readonly content: string;
  }[];
  readonly runcmd: readonly (readonly string[])[];
}): Delivery => ({
  files: config.write_files.map(({ path, permissions, content }) => ({ path, mode: permissions, content })),
  commands: config.runcmd,
});

interface Ignition {
  readonly storage: {
    readonly files: readonly {
      readonly path: string;
      readonly mode: number;
      readonly contents: { readonly source: string };
    }[];
  };
  readonly systemd: {
    readonly units: readonly {
      readonly name: string;
      readonly contents: string;
      readonly dropins: readonly { readonly name: string; readonly contents: string }[];
    }[];
  };
}

/** Ignition enables units; systemd starts them, which a command stands for here. */
const ofIgnition = ({ storage, systemd: { units } }: Ignition): Delivery => ({
  files: [
    ...storage.files.map(({ path, mode, contents }) => ({
      path,
      mode: mode.toString(8).padStart(4, '0'),
      content: dataOf(contents.source),
    })),
    ...units.flatMap(({ name, contents, dropins }) => [
      { path: `/etc/systemd/system/${name}`, mode: '0644', content: contents },
      ...dropins.map((dropin) => ({
        path: `/etc/systemd/system/${name}.d/${dropin.name}`,
        mode: '0644',
        content: dropin.contents,
      })),
    ]),
  ],
  commands: units.map(({ name }) => ['systemctl', 'start', name]),
});

function dataOf(url: string): string {
  const [, base64, data = ''] = /^data:[^,]*?(;base64)?,(.*)$/s.exec(url) ?? [];
  return base64 === undefined ? decodeURIComponent(data) : Buffer.from(data, 'base64').toString('utf8');
}
