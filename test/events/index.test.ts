import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { badSamples, readSample, type SampleName, samplePlace, samples } from '../../events/index.ts';
import { readEventText } from '../../shared/intake/events/read-event.ts';

const names = Object.keys(samples) as SampleName[];

describe('the sample events', () => {
  it.each(names)('%s reads as the index promises', (name) => {
    expect(readSample(name).kind).toBe(samples[name]);
  });

  it('are all listed in the index', () => {
    const files = readdirSync(new URL('../../events/', import.meta.url)).filter((file) =>
      file.endsWith('.json'),
    );
    expect(files.map((file) => file.replace('.json', '')).toSorted()).toEqual(names.toSorted());
  });
});

describe('malformed and hostile events', () => {
  it.each([...badSamples().keys()])(
    '%s is parked with the field and what to do, and without its value',
    (file) => {
      const meaning = readEventText(badSamples().get(file) ?? '', samplePlace);
      if (meaning.kind !== 'malformed') throw new Error(`${file} reads as ${meaning.kind}`);
      expect(meaning.error.field).not.toBe('');
      expect(meaning.error.remedy).toMatch(/dead-letter queue/);
      expect(meaning.error.message).not.toMatch(/eyJ|passwd|dance|Mars|yesterday|soon|later/);
    },
  );
});
