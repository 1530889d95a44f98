import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDroverWorld, withWorkers } from '../../local/world/drover-world.ts';
import { operatorOf } from './operator.ts';

const world = createDroverWorld();
const { region } = world.account;
let folder: string;

const noRegion = { AWS_REGION: undefined, AWS_DEFAULT_REGION: undefined };

/** `drover status` on a machine whose files of AWS say this. */
async function status(config: string, environment: Readonly<Record<string, string>> = {}) {
  const file = join(folder, 'config');
  await writeFile(file, config);
  const files = { AWS_CONFIG_FILE: file, AWS_SHARED_CREDENTIALS_FILE: join(folder, 'none') };
  return await operatorOf(world, { environment: { ...noRegion, ...files, ...environment } })('status');
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'drover-region-'));
  await withWorkers(world, { size: 1 });
});

afterAll(() => rm(folder, { recursive: true }));

describe('a command that needs a region takes that of the AWS profile', () => {
  it.each([
    ['the default profile', `[default]\nregion = ${region}\n`, {}],
    ['the default profile, written as a profile', `[profile default]\nregion=${region}\n`, {}],
    [
      'the profile of AWS_PROFILE',
      `[default]\nregion = xx\n[profile work]\nregion = ${region}\n`,
      { AWS_PROFILE: 'work' },
    ],
    ['the default profile, if AWS_PROFILE is empty', `[default]\nregion = ${region}\n`, { AWS_PROFILE: '' }],
    ['a file with comments', `# ours\n[default] ; mine\nregion = ${region} # near\n`, {}],
  ])('%s', async (_, config, environment) => {
    expect(await status(config, environment)).toMatchObject({ code: 0, err: '' });
  });

  it('only if the environment names none', async () => {
    expect(await status('[default]\nregion = xx\n', { AWS_DEFAULT_REGION: region })).toMatchObject({
      code: 0,
    });
  });

  it.each([
    ['has none', '[default]\noutput = json\n', {}],
    ['does not exist', `[default]\nregion = ${region}\n`, { AWS_PROFILE: 'wrok' }],
  ])('and names the flag if the profile %s', async (_, config, environment) => {
    const { out, err } = await status(config, environment);
    expect(`${out}${err}`).toContain('AWS_REGION');
  });

  it('and names the profile if it is mistyped', async () => {
    const { err } = await status(`[profile work]\nregion = ${region}\n`, { AWS_PROFILE: 'wrok' });
    expect(err).toMatch(/^warning: profile wrok is in neither file of AWS profiles/);
  });
});
