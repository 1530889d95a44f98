import { describe, expect, it } from 'vitest';
import { siteLink } from '../../scripts/site/content/links.ts';

const repository = 'https://git.example/team/drover/blob/main/';
const from = (page: string, link: string, where?: string) => siteLink({ page, link, repository: where });

describe('a link between Markdown files, in the site', () => {
  it.each([
    ['docs/cli.md', 'operating.md#tags', 'operating.html#tags'],
    ['README.md', 'docs/adr/README.md', 'docs/adr/index.html'],
    ['docs/adr/0006-the-pass-loop.md', '../../README.md', '../../index.html'],
    ['docs/adr/README.md', 'README.md', 'index.html'],
    ['docs/quick-start/eks.md', '../../examples/eks', '../../examples/eks/index.html'],
  ])('of %s to %s leads to the page', (page, link, address) => {
    expect(from(page, link)).toEqual({ kind: 'page', address });
    expect(from(page, link, repository)).toEqual({ kind: 'page', address });
  });

  it.each([
    'https://karpenter.sh',
    'HTTPS://karpenter.sh/a%2Fb',
    '#tags',
    'no-such-page.md',
    '../../outside.md',
    'images/dashboard-phone.png',
  ])('stays as it is: %s', (link) => {
    expect(from('docs/cli.md', link, repository)).toEqual({ kind: 'as-is', address: link });
  });

  it.each([
    ['openapi.json', 'docs/openapi.json'],
    ['../serverless.yml#L3', 'serverless.yml#L3'],
    ['../examples/terraform', 'examples/terraform'],
  ])('to %s, which is no page, leads to the repository', (link, path) => {
    expect(from('docs/cli.md', link, repository)).toEqual({ kind: 'repository', address: repository + path });
  });

  it.each([
    ['openapi.json', 'docs/openapi.json', 'openapi.json'],
    ['../shared/joining/pass.ts', 'shared/joining/pass.ts', '../shared/joining/pass.ts.txt'],
  ])('to %s leads to a copy, if the address of the repository is unknown', (link, path, address) => {
    const output = path.endsWith('.ts') ? `${path}.txt` : path;
    expect(from('docs/cli.md', link)).toEqual({ kind: 'copy', address, path, output });
  });

  it('to a folder without a page becomes text, if the address of the repository is unknown', () => {
    expect(from('docs/cli.md', '../examples/terraform')).toEqual({
      kind: 'text',
      path: 'examples/terraform',
    });
  });
});
