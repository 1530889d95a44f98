import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hasVersion } from '../../../scripts/release/changelog.ts';
import { releaseReadme, withoutLinks } from '../../../scripts/release/readme.ts';

describe('the changelog', () => {
  test.each([
    ['## 1.2.0', true],
    ['## 1.2.0 (2026-11-25)', true],
    ['## 1.2.0-rc.1', false],
    ['## 11.2.0', false],
    ['### 1.2.0', false],
    ['1.2.0', false],
  ])('with %j names version 1.2.0: %s', (line, isNamed) => {
    expect(hasVersion(`# Changelog\n\n${line}\n\n- A change.\n`, '1.2.0')).toBe(isNamed);
  });
});

describe('the README of a release', () => {
  const readme = releaseReadme(readFileSync('docs/deployment.md', 'utf8'), '1.2.0');

  test('has the commands to install, upgrade and remove, with the version', () => {
    expect(readme).toMatch(/^# Drover 1\.2\.0\n/);
    for (const part of [
      'sha256sum --check --quiet SHA256SUMS',
      '--template-file drover-1.2.0.template.json',
      'source          = "./drover-1.2.0/terraform"',
      '### Upgrading a release',
      'aws cloudformation delete-stack',
    ])
      expect(readme).toContain(part);
    expect(readme).not.toContain('VERSION.');
    expect(readme).not.toContain('## The kubeconfig');
  });

  test('has no link, because a release has none of the files that it would lead to', () => {
    expect(readme).not.toMatch(/\]\(/);
    expect(withoutLinks('[a *b*](c.md#d) and [e](f), [site](https://example.com)')).toBe(
      'a *b* and e, [site](https://example.com)',
    );
  });

  test('is refused where the documentation has no such part', () => {
    expect(() => releaseReadme('# Deployment\n', '1.2.0')).toThrow('Install without Node.js');
  });
});
