import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkSite } from '../../scripts/site/check/check-site.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** Checks a site with one page of this text, another page and an image. */
async function problemsOf(text: string): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'drover-site-'));
  folders.push(folder);
  const files = {
    'docs/a.html': text,
    'index.html': '<h2 id="use it">Use it</h2>',
    'docs/images/one.png': '',
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return checkSite(folder);
}

describe('the check of the built site', () => {
  it('finds nothing wrong with links, anchors and images that exist', async () => {
    const text = `<h1 id="a">A</h1><a href="#a">a</a> <a href="../index.html#use%20it">b</a> <img src="images/one.png">
      <source srcset="images/one.png 2x"><a href="https://karpenter.sh/no-such-page">c</a><a href="mailto:a@example.com">d</a>
      <code>&lt;a href="no-such-page.html"&gt;</code>`;
    expect(await problemsOf(text)).toEqual([]);
  });

  it.each([
    ['<a href="b.html">b</a>', 'b.html does not exist'],
    ['<a href="JavaScript:alert(1)">b</a>', 'JavaScript:alert(1) is neither of the web nor a mail address'],
    ['<a href="data:text/html,b">b</a>', 'data:text/html,b is neither of the web nor a mail address'],
    ['<a href="100%.html">b</a>', '100%.html has a wrong escape'],
    ['<a href="#100%">b</a>', '#100% has a wrong escape'],
    ['<a href="../docs/">b</a>', '../docs/ does not exist'],
    ['<a href="cli.md">b</a>', 'cli.md does not exist'],
    ['<a href="#b">b</a>', '#b has no such anchor'],
    ['<a href="../index.html#b">b</a>', '../index.html#b has no such anchor'],
    ['<a href="/index.html">b</a>', '/index.html only works at the top of a host'],
    ['<img src="images/two.png">', 'images/two.png does not exist'],
    ['<source srcset="images/one.png, images/two.png 2x">', 'images/two.png does not exist'],
    ['<img src="https://example.com/one.png">', 'https://example.com/one.png is loaded from another host'],
    ['<script src="//example.com/a.js"></script>', '//example.com/a.js is loaded from another host'],
    ['<link rel="stylesheet" href="a.css">', 'a.css does not exist'],
    ['<p id="a">a</p><p id="a">b</p>', 'the id a is given twice'],
  ])('finds what is wrong with %s', async (text, problem) => {
    expect(await problemsOf(text)).toEqual([`docs/a.html: ${problem}`]);
  });

  it('does not pass a site without pages', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'drover-site-'));
    folders.push(folder);
    expect(await checkSite(folder)).toEqual([`${folder} has no page`]);
  });
});
