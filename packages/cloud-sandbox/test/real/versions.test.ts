import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chosenVersion, isDefaultRun, modfileOf, versions } from '../../real/versions.ts';

const buildOf = (program: keyof typeof versions): string =>
  join(import.meta.dirname, '..', '..', 'real', program, 'build');
const moduleOf = { kubernetes: 'k8s.io/kubernetes', etcd: 'go.etcd.io/etcd/server/v3' } as const;
const pinned = (['kubernetes', 'etcd'] as const).flatMap((program) =>
  versions[program].map((version) => ({ program, version })),
);

describe('the version of a program in a run', () => {
  it('is the first of the table without a variable, or with an empty one', () => {
    expect(chosenVersion('kubernetes', {})).toBe(versions.kubernetes[0]);
    expect(chosenVersion('etcd', { REAL_ETCD: '' })).toBe(versions.etcd[0]);
  });

  it.each(pinned)(
    'is $version of $program by its minor version, and by all of it',
    ({ program, version }) => {
      const variable = program === 'etcd' ? 'REAL_ETCD' : 'REAL_KUBERNETES';
      const minor = version.split('.').slice(0, 2).join('.');
      expect(chosenVersion(program, { [variable]: minor })).toBe(version);
      expect(chosenVersion(program, { [variable]: version })).toBe(version);
    },
  );

  it.each(['1.3', '1.340', 'v1.36', '1.36.30', '3.6', 'latest'])(
    'is refused if the table has no such version: %s',
    (wanted) => {
      expect(() => chosenVersion('kubernetes', { REAL_KUBERNETES: wanted })).toThrow(
        `REAL_KUBERNETES=${wanted} is not one of ${versions.kubernetes.join(', ')}`,
      );
    },
  );

  it('belongs to a default run only if both are the first of their lists', () => {
    expect(isDefaultRun({})).toBe(true);
    expect(isDefaultRun({ REAL_KUBERNETES: versions.kubernetes[0] })).toBe(true);
    expect(isDefaultRun({ REAL_KUBERNETES: versions.kubernetes[1] })).toBe(false);
    expect(isDefaultRun({ REAL_ETCD: versions.etcd[1] })).toBe(false);
  });
});

it.each(pinned)(
  'the modules of $program $version are pinned with their checksums',
  ({ program, version }) => {
    const modfile = join(buildOf(program), modfileOf(program, version));
    const required = `${moduleOf[program]} v${version}`;
    expect(readFileSync(modfile, 'utf8')).toContain(`\t${required}\n`);
    expect(readFileSync(modfile.replace(/\.mod$/, '.sum'), 'utf8')).toContain(`${required} h1:`);
  },
);
