import { randomBytes } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { compose } from '../../../cli/adopt/user-data/compose.ts';

const part = '#cloud-config\nwrite_files:\n  - path: /etc/drover\n    content: kubelet\n';
const script = '#!/bin/bash\necho hello\n';

const composed = (existing: string | Uint8Array, own = part) => compose(Buffer.from(existing), own);

function textOf(existing: string | Uint8Array, own = part): string {
  const result = composed(existing, own);
  if (result.kind !== 'new') throw new Error(JSON.stringify(result));
  return Buffer.from(result.bytes).toString('utf8');
}

const archive = (boundary: string, ...bodies: readonly string[]) =>
  `Content-Type: multipart/mixed; boundary="${boundary}"\nMIME-Version: 1.0\n\n${bodies
    .map((body) => `--${boundary}\nContent-Type: text/x-shellscript\n\n${body}`)
    .join('')}--${boundary}--\n`;

describe('a part of the user data', () => {
  it('is all of it if there was none', () => {
    expect(textOf('')).toBe(part);
    expect(textOf(' \n')).toBe(part);
    expect(composed(part)).toEqual({ kind: 'same' });
  });

  it('comes after a script, in an archive that has both letter by letter', () => {
    const text = textOf(script);
    expect(text).toContain(`Content-Type: text/x-shellscript; charset="us-ascii"`);
    expect(text.indexOf(script)).toBeGreaterThan(0);
    expect(text.indexOf(part)).toBeGreaterThan(text.indexOf(script));
  });

  it('comes before the end of an archive with the boundary of EKS, and of one that lacks its end', () => {
    const existing = archive('//', script);
    expect(textOf(existing).startsWith(existing.slice(0, -'--//--\n'.length))).toBe(true);
    const cut = existing.replace('--//--\n', '');
    expect(textOf(cut)).toBe(textOf(existing));
  });

  it('says how its lists are merged, which cloud-init#4367 asks of each part', () => {
    expect(textOf('#cloud-config\nwrite_files: []\n')).toContain(
      'Merge-Type: list(append)+dict(no_replace,recurse_list)+str()',
    );
    expect(textOf(script, script.replace('hello', 'kubelet'))).not.toContain('Merge-Type');
  });

  it('is replaced by another version of it, and other parts stay', () => {
    const first = textOf(archive('b', script));
    const second = textOf(first, part.replace('/etc/drover', '/etc/other'));
    expect(second).toContain('/etc/other');
    expect(second).not.toContain('/etc/drover');
    expect(second).toContain(script);
  });

  it('stays compressed if it was, and is compressed if it is too long', () => {
    const packed = composed(gzipSync(script));
    if (packed.kind !== 'new') throw new Error(packed.kind);
    expect(gunzipSync(packed.bytes).toString()).toContain(part);
    expect(compose(packed.bytes, part)).toEqual({ kind: 'same' });
    const long = composed(`${script}# ${'long '.repeat(4000)}\n`);
    if (long.kind !== 'new') throw new Error(long.kind);
    expect(long.bytes.length).toBeLessThan(16_384);
  });

  it('keeps text that is not ASCII, and a body that has the boundary', () => {
    const existing = archive('b', '#!/bin/bash\necho é\n');
    expect(textOf(existing)).toContain('echo é');
    const text = textOf(existing, '#!/bin/bash\n--b\n# kubelet é\n');
    expect(text).toContain('Content-Transfer-Encoding: base64');
  });
});

describe('a user data to which nothing can be appended is refused with the reason', () => {
  test.each([
    ['Ignition (cluster-api-provider-aws#1639)', '{"ignition":{"version":"3.4.0"}}', 'Ignition'],
    ['Bottlerocket', '[settings.kubernetes]\ncluster-name = "prod"\n', 'Bottlerocket'],
    ['Windows', '<powershell>\nGet-Host\n</powershell>', 'Windows'],
    ['base64 twice (rancher#31612)', Buffer.from(script).toString('base64'), 'base64 twice'],
    ['no first line of cloud-init (terraform-aws-eks#2093)', 'export A=1\n', 'does not know it'],
    ['kubeadm join', '#!/bin/bash\nkubeadm join 10.0.0.1:6443 --token x\n', 'line 2 of it joins a cluster'],
    ['bootstrap.sh', '#!/bin/bash\n/etc/eks/bootstrap.sh prod\n', 'joins a cluster'],
    ['NodeConfig', 'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\n', 'joins a cluster'],
    ['bytes', Buffer.from([0xff, 0xfe, 0x00]), 'it is not text'],
    ['cut compression', gzipSync(script).subarray(0, 20), 'cannot be unpacked'],
    [
      'what is too long',
      Buffer.from(`${script}# ${randomBytes(20_000).toString('hex')}\n`),
      'EC2 takes 16384',
    ],
  ])('%s', (_name, existing, reason) => {
    expect(composed(existing)).toEqual({ kind: 'refused', reason: expect.stringContaining(reason) });
  });

  it('but not for a comment about joining, or if the part does not join', () => {
    expect(composed('#!/bin/bash\n# kubeadm join is done elsewhere\n').kind).toBe('new');
    expect(composed('#!/bin/bash\nkubeadm join x\n', '#!/bin/bash\necho hi\n').kind).toBe('new');
  });
});

it('whatever is there stays, and the same part is appended once', () => {
  const body = fc.array(
    fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n]/g, ' ')),
    { maxLength: 8 },
  );
  const existing = fc.record({
    first: fc.constantFrom('#!/bin/sh', '#cloud-config', '#cloud-boothook', '#include', '## template: jinja'),
    lines: body,
    boundary: fc.constantFrom('//', '==MYBOUNDARY==', 'b', "it's", 'MIMEBOUNDARY'),
    isArchive: fc.boolean(),
    isPacked: fc.boolean(),
    newline: fc.constantFrom('\n', '\r\n'),
  });
  fc.assert(
    fc.property(existing, body, ({ first, lines, boundary, isArchive, isPacked, newline }, own) => {
      const text = [first, ...lines.filter((line) => !line.startsWith('--')), ''].join(newline);
      const before = isArchive ? archive(boundary, text) : text;
      if (before.includes('\ufffd')) return;
      const bytes = isPacked ? gzipSync(before) : Buffer.from(before);
      const mine = ['#!/bin/sh', ...own, ''].join('\n');
      const result = compose(bytes, mine);
      if (result.kind !== 'new') {
        expect(mine.trim()).toBe(before.trim());
        return;
      }
      const after = isPacked ? gunzipSync(result.bytes).toString() : Buffer.from(result.bytes).toString();
      const isKept = isArchive
        ? after.startsWith(before.slice(0, before.lastIndexOf(`--${boundary}--`)))
        : after.includes(text) || after.replaceAll('\n', '').includes(Buffer.from(text).toString('base64'));
      expect(isKept).toBe(true);
      expect(compose(result.bytes, mine)).toEqual({ kind: 'same' });
    }),
  );
});
