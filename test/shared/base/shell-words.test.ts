import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoted, shellWord } from '../../../shared/base/shell-words.ts';

describe('a word of a command line', () => {
  it('is read back unchanged by a shell, quoted or not', () => {
    const words = fc.string({
      unit: fc.constantFrom(...'ab /:=-\'"$`\\;&|\n(){}<>*!#~?'.split('')),
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 20 }), (all) => {
        const line = `printf '%s\\0' ${all.map(shellWord).join(' ')} ${all.map(quoted).join(' ')}`;
        expect(spawnSync('bash', ['-c', line], { encoding: 'utf8' }).stdout.split('\0').slice(0, -1)).toEqual(
          [...all, ...all],
        );
      }),
      { numRuns: 25 },
    );
  });

  it('has no quotes if it needs none', () => {
    expect(['/var/lib/etcd', 'snapshot.db', 'a b'].map(shellWord)).toEqual([
      '/var/lib/etcd',
      'snapshot.db',
      "'a b'",
    ]);
  });
});
