import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { runServerless } from '../build/package-deployment.ts';
import { type StageParameters, stage } from './markers.ts';

export interface PackagedTemplate {
  readonly AWSTemplateFormatVersion: string;
  readonly Description: string;
  readonly Resources: Readonly<Record<string, PackagedResource>>;
  readonly Outputs: Readonly<Record<string, unknown>>;
}

export interface PackagedResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DependsOn?: string | readonly string[];
}

const plugins = ['./scripts/deployment/role-settings.ts', './scripts/deployment/tracing.ts'];

/**
 * The template of a stage with these parameters, packaged in a folder of its own: without the guard and the checks of
 * deploy/parameters.cjs, which would refuse markers. Only the plugins that change the template are kept.
 *
 * @throws PackagingError with what osls says
 */
export async function packageVariant(parameters: StageParameters): Promise<PackagedTemplate> {
  const directory = await mkdtemp(join(tmpdir(), 'drover-release-'));
  try {
    await cp('deploy', join(directory, 'deploy'), { recursive: true });
    await cp('package.json', join(directory, 'package.json'));
    for (const linked of ['node_modules', 'dist', 'scripts'])
      await symlink(join(process.cwd(), linked), join(directory, linked));
    const configuration = parse(await readFile('serverless.yml', 'utf8')) as object;
    await writeFile(
      join(directory, 'serverless.yml'),
      stringify({ ...configuration, plugins, params: { default: parameters } }),
    );
    await runServerless(['--stage', stage], directory);
    const template = join(directory, '.serverless', 'cloudformation-template-update-stack.json');
    return JSON.parse(await readFile(template, 'utf8')) as PackagedTemplate;
  } finally {
    await rm(directory, { recursive: true });
  }
}
