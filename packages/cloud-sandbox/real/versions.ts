/**
 * The versions that the real suites know. REAL_KUBERNETES and REAL_ETCD choose one of each for a run, as `1.36` or `1.36.3`; the first of
 * a list is the default. `VERSION.mod` and `VERSION.sum` in the folder of the build pin the modules; those of the default are go.mod and go.sum.
 */
export const versions = {
  kubernetes: ['1.34.4', '1.35.4', '1.36.3', '1.37.2'],
  etcd: ['3.6.16', '3.5.35', '3.7.3'],
} as const;

/** Debian's package of etcd, which the etcd suites always run too. */
export const debianEtcdVersion = '3.4.23';

type Program = keyof typeof versions;

/** The environment variable that chooses the version of a program. */
export const variableOf = { kubernetes: 'REAL_KUBERNETES', etcd: 'REAL_ETCD' } as const satisfies Record<
  Program,
  string
>;

/** The version of a program in this run. Throws if the variable names a version that is not in the table. */
export function chosenVersion(
  program: Program,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const [first, ...others] = versions[program];
  const wanted = environment[variableOf[program]];
  if (wanted === undefined || wanted === '') return first;
  const all: readonly string[] = [first, ...others];
  const found = all.find((version) => version === wanted || version.startsWith(`${wanted}.`));
  if (found === undefined)
    throw new RangeError(`${variableOf[program]}=${wanted} is not one of ${all.join(', ')}`);
  return found;
}

/** Whether this run has the default of each program: only then docs/truth.md takes its findings. */
export const isDefaultRun = (
  environment: Readonly<Record<string, string | undefined>> = process.env,
): boolean =>
  (['kubernetes', 'etcd'] as const).every(
    (program) => chosenVersion(program, environment) === versions[program][0],
  );

/** The file in the folder of a build that pins the modules of this version. */
export const modfileOf = (program: Program, version: string): string =>
  version === versions[program][0] ? 'go.mod' : `${version}.mod`;
