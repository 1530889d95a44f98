import { describe, expect, it } from 'vitest';
import { bootScripts } from '../../../../cli/user-data/nodes/boot-scripts.ts';
import { butaneSource } from '../../../../cli/user-data/nodes/flavours/ignition.ts';
import { textOf, usualSettings } from './support.ts';

const scripts = await bootScripts();

describe.each([
  ['flatcar', 'flatcar', '/opt/bin/drover-node'],
  ['fedora-coreos', 'fcos', '/usr/local/bin/drover-node'],
] as const)('the Ignition configuration of %s', (flavour, variant, path) => {
  it('has the files and the unit of its source', async () => {
    const source = butaneSource(usualSettings, scripts, variant);
    const { ignition, storage, systemd } = JSON.parse(await textOf(flavour));
    expect(ignition).toEqual({ version: '3.4.0' });
    expect(systemd).toEqual(source.systemd);
    expect(storage.files.map((file: { readonly path: string }) => file.path)).toEqual(
      source.storage.files.map((file) => file.path),
    );
    const [script] = storage.files;
    expect(script).toMatchObject({ path, mode: 0o755 });
    expect(atob(script.contents.source.replace('data:;base64,', ''))).toBe(
      source.storage.files[0]?.contents.inline,
    );
  });

  it('starts the script instead of the kubelet', async () => {
    const { systemd } = JSON.parse(await textOf(flavour));
    expect(systemd.units[0].dropins[0].contents).toContain(`ExecStart=\nExecStart=${path}\n`);
  });
});
