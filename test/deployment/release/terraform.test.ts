import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { releaseParameters } from '../../../scripts/release/parameters.ts';
import { terraformVariables } from '../../../scripts/release/terraform-variables.ts';

const module = readFileSync('deploy/terraform/main.tf', 'utf8');

/** The text of a block, up to the brace at the beginning of a line. */
const block = (header: string): string => module.split(`${header} {\n`)[1]?.split('\n}\n')[0] ?? '';

describe('the module of a release', () => {
  test.each(['resource "aws_s3_object" "zip"', 'resource "aws_s3_object" "template"'])(
    'deletes what a rollback may need after the stack has changed: %s',
    (header) => {
      expect(block(header)).toContain('create_before_destroy = true');
    },
  );

  test('makes the stack after its zips, under the name that `drover` looks for', () => {
    const stack = block('resource "aws_cloudformation_stack" "drover"');
    expect(stack).toContain('depends_on = [aws_s3_object.zip]');
    expect(stack).toMatch(/name += "drover-\$\{var\.stage\}"/);
    expect(stack).toContain('"drover.dev/cluster" = var.cluster');
    expect(stack).toContain('capabilities = ["CAPABILITY_NAMED_IAM"]');
  });
});

const files = ['examples', 'deploy/terraform'].flatMap((folder) => globSync(`${folder}/**/*.tf`)).toSorted();
const texts: readonly (readonly [string, string])[] = [
  ...files.map((file) => [file, readFileSync(file, 'utf8')] as const),
  ['variables.tf of a release', terraformVariables(releaseParameters())],
];

/** Lines of arguments that follow each other, each on one line: `terraform fmt` gives their equals signs one column. */
function runsOf(text: string): readonly (readonly string[])[] {
  const runs: string[][] = [];
  let at = '';
  for (const line of text.split('\n')) {
    const indentation = /^( *)\S+ += .*[^{[(]$/.exec(line)?.[1];
    if (indentation === undefined) at = '';
    else if (indentation === at && runs.at(-1)) runs.at(-1)?.push(line);
    else runs.push([line]);
    at = indentation ?? '';
  }
  return runs;
}

test.each(texts)('%s has the columns of terraform fmt', (_, text) => {
  for (const run of runsOf(text)) {
    const columns = run.map((line) => line.search(/(?<=\S +)= /));
    expect(new Set(columns).size, run.join('\n')).toBe(1);
  }
});
