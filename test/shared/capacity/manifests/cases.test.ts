import { describe, expect, it } from 'vitest';
import { manifestCases } from './cases.ts';
import { read } from './fixtures.ts';

/** manifests.real.test.ts asks a real API server about the same manifests. */
describe('manifests as the API server judges them', () => {
  const titled = Object.entries(manifestCases).map(([title, { text, wrong }]) => ({ title, text, wrong }));

  it.each(titled.filter(({ wrong }) => wrong === undefined))('$title is accepted', ({ text }) => {
    expect(read(text).problems).toEqual([]);
  });

  it.each(titled.filter(({ wrong }) => wrong !== undefined))(
    '$title is refused at its field',
    ({ text, wrong = '' }) => {
      const [problem] = read(text).problems;
      expect(`${problem?.field ?? ''} ${problem?.message ?? 'no problem'}`).toContain(wrong);
    },
  );
});
