import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { releaseParameters } from '../../../scripts/release/parameters.ts';
import { terraformReadme } from '../../../scripts/release/terraform-readme.ts';
import {
  declaredVariables,
  terraformVariables,
  variableName,
} from '../../../scripts/release/terraform-variables.ts';

const variables = terraformVariables(releaseParameters());
const readme = terraformReadme(readFileSync('deploy/terraform/README.md', 'utf8'), variables);

describe('the Terraform module of a release', () => {
  it('has a README with every input, which of them are required, and every output', () => {
    for (const name of Object.keys(releaseParameters()))
      expect(readme).toMatch(
        new RegExp(`^\\| \`${variableName(name)}\` \\| .+ \\| \`string\` \\| (?:yes|no) \\|$`, 'm'),
      );
    expect(readme).toMatch(/^\| `stage` \| .* \| `string` \| yes \|$/m);
    expect(readme).toMatch(/^\| `release` \| .* \| `string` \| no \|$/m);
    const outputs = [...readFileSync('deploy/terraform/outputs.tf', 'utf8').matchAll(/^output "(\w+)"/gm)];
    for (const [, name = ''] of outputs) expect(readme).toContain(`| \`${name}\` | `);
    expect(readme).not.toContain('<!-- inputs -->');
  });

  it('uses the versions that the README lists, in a file of their own', () => {
    const versions = readFileSync('deploy/terraform/versions.tf', 'utf8');
    for (const [, version = ''] of versions.matchAll(/version +?= "(.*)"/g))
      expect(readme).toContain(`| ${version} |`);
    expect(readFileSync('deploy/terraform/main.tf', 'utf8')).not.toContain('required_providers');
  });

  it.each(globSync('deploy/terraform/examples/*/main.tf'))(
    '%s gives the module what it requires, and nothing else',
    (file) => {
      const [, call = ''] = /^module "drover" \{\n([^]*?)^\}/m.exec(readFileSync(file, 'utf8')) ?? [];
      const given = [...call.matchAll(/^ {2}(\w+) +?=/gm)].map(([, name = '']) => name);
      const declared = declaredVariables(variables);
      const own = ['source', 'for_each'];
      expect(
        given.filter((name) => !own.includes(name) && !declared.some((one) => one.name === name)),
      ).toEqual([]);
      for (const { name, isRequired } of declared) if (isRequired) expect(given).toContain(name);
      expect(readme).toContain(`](${file.replace('deploy/terraform/', '').replace('/main.tf', '')})`);
    },
  );
});
