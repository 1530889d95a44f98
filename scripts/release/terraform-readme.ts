import { declaredVariables } from './terraform-variables.ts';

const marker = '<!-- inputs -->';

/**
 * The README of the Terraform module with its inputs, as a registry shows them. Pure.
 *
 * @param readme - deploy/terraform/README.md
 * @param variables - the text of variables.tf
 * @throws Error if the README has no place for the inputs.
 */
export function terraformReadme(readme: string, variables: string): string {
  if (!readme.includes(marker)) throw new Error(`deploy/terraform/README.md has no line ${marker}`);
  const rows = declaredVariables(variables).map(
    ({ name, description, type, isRequired }) =>
      `| \`${name}\` | ${description.replaceAll('|', '\\|')} | \`${type}\` | ${isRequired ? 'yes' : 'no'} |`,
  );
  return readme.replace(marker, () =>
    ['| name | description | type | required |', '|---|---|---|---|', ...rows].join('\n'),
  );
}
