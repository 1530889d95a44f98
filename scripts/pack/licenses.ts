import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';

/** A bundled package that may not be given to others as it is: an unknown license, or one without its text. */
export class LicenseError extends Error {
  override readonly name = 'LicenseError';
}

/** The licenses that a bundled package may have, by their SPDX ids. Each asks only that its text goes with the code. */
export const allowedLicenses: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
];

/** The texts of packages that ship none: the copyright line is the one of their README. */
const textsElsewhere: Readonly<Record<string, string>> = {
  '@middy/core': join(import.meta.dirname, 'texts', 'middy-core.txt'),
};

/** Our own license. Its text is the same for every package under Apache-2.0, except the notices that a package adds. */
const apacheText = join(import.meta.dirname, '..', '..', 'LICENSE');

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.optional(z.string()),
});

interface Licensed {
  /** `name@version (license)` */
  readonly title: string;
  readonly text: string;
}

/**
 * The licenses of packages, each text once, below the names of the packages that have it.
 *
 * @throws LicenseError if a package has no text or a license that is not among `allowedLicenses`
 */
export async function licensesText(packageFolders: readonly string[]): Promise<string> {
  const licenses = await Promise.all([...new Set(packageFolders)].map(licenseOf));
  const packagesOf = Map.groupBy(licenses, ({ text }) => text);
  return [...packagesOf]
    .map(([text, all]) => ({ titles: [...new Set(all.map(({ title }) => title))].sort(), text }))
    .sort((a, b) => (String(a.titles[0]) < String(b.titles[0]) ? -1 : 1))
    .map(({ titles, text }) => `${titles.join('\n')}\n\n${text}\n`)
    .join(ruler);
}

const ruler = `\n${'-'.repeat(80)}\n\n`;

/** LICENSE, LICENCE.md, COPYING, NOTICE and CopyrightNotice.txt: section 4 of Apache-2.0 asks for notices too. */
const textFile = /^(?:licen[cs]e|copying|notice|copyrightnotice)(?:[.-][\w.-]+)?$/i;

async function licenseOf(folder: string): Promise<Licensed> {
  const manifest = z.parse(manifestSchema, JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  const title = `${manifest.name}@${manifest.version} (${manifest.license})`;
  if (manifest.license === undefined || !allowedLicenses.includes(manifest.license))
    throw new LicenseError(
      `${title} is bundled, and its license is not one of ${allowedLicenses.join(', ')}: replace the package, or add the license to scripts/pack/licenses.ts once you know that its terms are met`,
    );
  const texts = await ownTexts(folder);
  if (texts.length > 0) return { title, text: texts.join('\n\n') };
  const elsewhere =
    textsElsewhere[manifest.name] ?? (manifest.license === 'Apache-2.0' ? apacheText : undefined);
  if (elsewhere === undefined)
    throw new LicenseError(
      `${title} is bundled, and ships no text of its license: put the text with its copyright line into scripts/pack/texts, and name it in scripts/pack/licenses.ts`,
    );
  return { title, text: (await readFile(elsewhere, 'utf8')).trim() };
}

async function ownTexts(folder: string): Promise<readonly string[]> {
  const files = (await readdir(folder)).filter((name) => textFile.test(name)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return texts.map((text) => text.replaceAll('\r\n', '\n').trim()).filter((text) => text !== '');
}
