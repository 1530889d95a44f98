import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { runServerless } from '../build/package-deployment.ts';
import { markedStage, stage } from './markers.ts';
import { releaseParameters } from './parameters.ts';
import { type PackagedTemplate, type Part, releaseTemplate } from './template.ts';

/**
 * Packages the deployment once, with all its parts and a marker for each parameter, and makes the template of a release of it.
 *
 * @throws PackagingError with what osls says; Error if a parameter has no effect
 */
export async function buildReleaseTemplate({
  version,
  zips,
}: {
  readonly version: string;
  readonly zips: Readonly<Record<string, string>>;
}): Promise<Part> {
  const parameters = releaseParameters();
  return releaseTemplate({
    version,
    zips,
    parameters,
    packaged: await packageMarked(Object.keys(parameters)),
  });
}

/** Only the plugins that change the template. */
const plugins = ['role-settings', 'tracing', 'alarms', 'conditions'].map(
  (name) => `./scripts/deployment/${name}.ts`,
);

/** In a folder of its own, without the guard and the checks of deploy/parameters.cjs, which would refuse markers. */
async function packageMarked(names: readonly string[]): Promise<PackagedTemplate> {
  const directory = await mkdtemp(join(tmpdir(), 'drover-release-'));
  try {
    await cp('deploy', join(directory, 'deploy'), { recursive: true });
    await cp('package.json', join(directory, 'package.json'));
    for (const linked of ['node_modules', 'dist', 'scripts'])
      await symlink(join(process.cwd(), linked), join(directory, linked));
    const { custom, ...configuration } = parse(await readFile('serverless.yml', 'utf8')) as {
      readonly custom: object;
    };
    await writeFile(
      join(directory, 'serverless.yml'),
      stringify({
        ...configuration,
        custom: { ...custom, release: true },
        plugins,
        params: { default: markedStage(names) },
      }),
    );
    await runServerless(['--stage', stage], directory);
    const template = join(directory, '.serverless', 'cloudformation-template-update-stack.json');
    return JSON.parse(await readFile(template, 'utf8')) as PackagedTemplate;
  } finally {
    await rm(directory, { recursive: true });
  }
}
