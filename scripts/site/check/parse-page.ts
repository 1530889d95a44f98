import { readFile } from 'node:fs/promises';
import { JSDOM } from 'jsdom';
import type { ParsedDocument } from './parsed.ts';

/** Reads a built page with `read`. Nothing of it is run or loaded. */
export async function parsePage<T>(file: string, read: (document: ParsedDocument) => T): Promise<T> {
  const { window } = new JSDOM(await readFile(file, 'utf8'));
  try {
    return read(window.document);
  } finally {
    window.close();
  }
}
