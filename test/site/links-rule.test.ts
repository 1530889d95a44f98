import { expect, it } from 'vitest';
import { linksRule } from '../../scripts/site/markdown/links.ts';
import type { Token } from '../../scripts/site/markdown/token.ts';

const token = (type: string, parts: Partial<Token> = {}): Token => ({
  type,
  tag: '',
  content: '',
  children: null,
  attrs: null,
  hidden: false,
  attrGet: () => null,
  attrSet: () => {},
  ...parts,
});

/** What becomes of a link as markdown-it gives it, in docs/cli.md. */
function linkTo(address: string): string {
  let href = address;
  const link = token('link_open', {
    attrGet: () => href,
    attrSet: (_, value) => {
      href = value;
    },
  });
  linksRule({ repository: undefined, onCopy: () => {} })({
    tokens: [token('inline', { children: [link, token('link_close')] })],
    env: { page: { inputPath: './docs/cli.md' } },
  });
  return href;
}

it.each(['https://example.com/a%2Fb?c=%26#%23', 'https://example.com/%C3%A4', 'mailto:a%2Bb@example.com'])(
  'leaves the escapes of %s as they are',
  (address) => {
    expect(linkTo(address)).toBe(address);
  },
);

it('leaves an escape that is wrong to the check, and goes on', () => {
  expect(linkTo('a%FFb.md')).toBe('a%FFb.md');
});

it('leads to pages', () => {
  expect(linkTo('operating.md#tags')).toBe('operating.html#tags');
});
