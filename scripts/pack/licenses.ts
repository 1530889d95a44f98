import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';

const manifestSchema = z.object({ name: z.string(), license: z.optional(z.string()) });

/** The licenses of packages, each text once, below the names of the packages that are under it. */
export async function licensesText(packageFolders: readonly string[]): Promise<string> {
  const licenses = await Promise.all(packageFolders.map(licenseOf));
  const namesOf = Map.groupBy(licenses, ({ text }) => text);
  return [...namesOf]
    .map(([text, all]) => `${all.map(({ name }) => name).join('\n')}\n\n${text}\n`)
    .join(ruler);
}

const ruler = `\n${'-'.repeat(80)}\n\n`;

async function licenseOf(folder: string): Promise<{ readonly name: string; readonly text: string }> {
  const manifest = z.parse(manifestSchema, JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  const file = (await readdir(folder)).find((name) => /^licen[cs]e/i.test(name));
  const text = file
    ? await readFile(join(folder, file), 'utf8')
    : `License: ${manifest.license ?? 'unknown'}`;
  return { name: manifest.name, text: text.trim() };
}
