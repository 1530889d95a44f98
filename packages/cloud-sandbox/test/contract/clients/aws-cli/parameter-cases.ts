import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import { type CliWorld, refusedCode } from './cli.ts';

/** Parameter Store. */
export const parameterCases: Cases<CliWorld> = {
  'a parameter is put, kept from being put again, overwritten, labelled and deleted': async ({
    aws,
    json,
    tried,
    name,
  }) => {
    const parameter = `--name /${name}/a`;
    expect(await json(`ssm put-parameter ${parameter} --type String --value one`)).toEqual({
      Version: 1,
      Tier: 'Standard',
    });
    expect(await tried(`ssm put-parameter ${parameter} --type String --value two`)).toMatchObject({
      code: refusedCode,
      stderr: expect.stringContaining('(ParameterAlreadyExists)'),
    });
    await aws(`ssm put-parameter ${parameter} --value two --overwrite`);
    await aws(`ssm label-parameter-version ${parameter} --parameter-version 1 --labels good`);
    const valueOf = (of: string) => json(`ssm get-parameter --name /${name}/a${of} --query Parameter.Value`);
    expect([await valueOf(''), await valueOf(':1'), await valueOf(':good')]).toEqual(['two', 'one', 'one']);
    const history = await json(
      `ssm get-parameter-history ${parameter} --query Parameters[].[Version,Value,Labels]`,
    );
    expect(history).toEqual([
      [1, 'one', ['good']],
      [2, 'two', []],
    ]);
    await aws(`ssm delete-parameter ${parameter}`);
    expect((await tried(`ssm get-parameter ${parameter}`)).stderr).toContain('(ParameterNotFound)');
  },

  'a secret is read only by who asks for it decrypted': async ({ aws, json, name }) => {
    await aws(`ssm put-parameter --name /${name}/s --type SecureString --value hidden`);
    const read = `ssm get-parameters --names /${name}/s /${name}/none --query`;
    expect(await json(`${read} Parameters[0].Value --with-decryption`)).toBe('hidden');
    expect(await json(`${read} Parameters[0].Value`)).not.toContain('hidden');
    expect(await json(`${read} InvalidParameters`)).toEqual([`/${name}/none`]);
  },

  'what lies under a path is read page by page': async ({ aws, json, name }) => {
    for (const leaf of ['a', 'b', 'c/d'])
      await aws(`ssm put-parameter --name /${name}/${leaf} --type String --value x`);
    const under = `ssm get-parameters-by-path --path /${name} --page-size 1 --query Parameters[].Name`;
    expect(await json(under)).toEqual([`/${name}/a`, `/${name}/b`]);
    expect(await json(`${under} --recursive`)).toHaveLength(3);
  },
};
