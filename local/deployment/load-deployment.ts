import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Wiring } from '@drover/cloud-sandbox';
import { TemplateError } from '../../scripts/deployment/template-error.ts';
import { type DeploymentInput, readDeployment } from './read-deployment.ts';

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw Object.assign(new TemplateError(path, 'cannot be read: run `npm run package` first'), { cause });
  }
}

/**
 * Reads what `npm run package` left in a directory, by default `.serverless`.
 *
 * @throws TemplateError
 */
export async function loadDeployment({
  directory = '.serverless',
  ...input
}: Omit<DeploymentInput, 'template' | 'state'> & { readonly directory?: string }): Promise<Wiring> {
  const [template, state] = await Promise.all([
    readJson(join(directory, 'cloudformation-template-update-stack.json')),
    readJson(join(directory, 'serverless-state.json')),
  ]);
  return readDeployment({ ...input, template, state });
}
