import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { assignmentsText, bootScript } from '../../../../cli/user-data/nodes/boot-script.ts';
import { bootScripts } from '../../../../cli/user-data/nodes/boot-scripts.ts';
import { flavours } from '../../../../cli/user-data/nodes/flavours.ts';
import { nodeSettings } from '../../../../cli/user-data/nodes/settings.ts';
import { usualSettings } from './support.ts';

const scripts = await bootScripts();

const bash = (script: string) => spawnSync('bash', [], { input: script, encoding: 'utf8' });

const nasty = fc.string({
  unit: fc.constantFrom(
    ...`ab '"$\`\\;&|\n(){}<>*!#%=:@~é`.split(''),
    '$(touch x)',
    'DROVER',
    '\nDROVER\n',
    '\u2028',
    '\u0000',
  ),
  maxLength: 12,
});

describe('text in a script', () => {
  it('is read back unchanged by bash, whatever it contains', () => {
    const values = nasty.filter((text) => !text.includes('\u0000'));
    fc.assert(
      fc.property(values, fc.array(values, { maxLength: 3 }), (text, list) => {
        const script = `set -u\n${assignmentsText({ text, list })}\nprintf '%s\\0' "$text" \${list[@]+"\${list[@]}"}`;
        expect(bash(script).stdout).toBe([text, ...list].map((one) => `${one}\0`).join(''));
      }),
      { numRuns: 40 },
    );
  });

  it('reaches the kubelet as one argument each, or is refused', () => {
    fc.assert(
      fc.property(nasty, nasty, nasty, (key, value, flag) => {
        const parsed = nodeSettings.safeParse({
          ...usualSettings,
          labels: [{ key, value }],
          kubeletFlags: [{ name: 'x', value: flag }],
        });
        const settings = parsed.success
          ? parsed.data
          : nodeSettings.safeParse({ ...usualSettings, kubeletFlags: [{ name: 'x', value: flag }] }).data;
        if (settings === undefined) return;
        const text = flavours.script.render(settings, scripts);
        // Runs only the assignments before the first command, which the script hands to the kubelet.
        const [assignments = ''] = text.match(/^readonly -a kubelet_flags=.*$/m) ?? [];
        const { stdout } = bash(`${assignments}\nprintf '%s\\0' "\${kubelet_flags[@]}"`);
        const label = settings.labels.length > 0 ? [`--node-labels=${key}=${value}`] : [];
        expect(stdout).toBe([...label, `--x=${flag}`].map((one) => `${one}\0`).join(''));
      }),
      { numRuns: 60 },
    );
  });

  it('leaves every script valid, and each file whole, whatever a flag of the kubelet contains', () => {
    fc.assert(
      fc.property(nasty, (value) => {
        const parsed = nodeSettings.safeParse({ ...usualSettings, kubeletFlags: [{ name: 'x', value }] });
        if (!parsed.success) return;
        const text = flavours.script.render(parsed.data, scripts);
        expect(bash(`set -n\n${text}`)).toMatchObject({ status: 0, stderr: '' });
        expect(text.match(/^DROVER$/gm)).toHaveLength(4);
        const settings = { ...parsed.data, kubernetesVersion: '1.34.4' };
        const { write_files: files } = parse(flavours.kubeadm.render(settings, scripts));
        const [document] = files.filter(({ path }: { path: string }) => path.endsWith('drover-kubeadm.yaml'));
        expect(parse(document.content).nodeRegistration.kubeletExtraArgs.at(-1)).toEqual({
          name: 'x',
          value,
        });
      }),
      { numRuns: 40 },
    );
  });

  it('is valid bash in every part', () => {
    for (const part of ['script', 'kubeadm', 'openshift'] as const)
      expect(
        spawnSync('bash', ['-n'], { input: bootScript(usualSettings, { scripts, part }), encoding: 'utf8' }),
      ).toMatchObject({
        status: 0,
        stderr: '',
      });
  });
});
