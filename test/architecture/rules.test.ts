import { describe, expect, it } from 'vitest';
import { importRules } from './import-rules.ts';
import { injectionRules } from './injection-rules.ts';
import { faultsOf, type Rule } from './rule.ts';
import { sourceFile, sourceFiles } from './source-files.ts';

const rules = [...importRules, ...injectionRules];
const files = sourceFiles(
  'functions',
  'shared',
  'local',
  'packages/cloud-sandbox/{src,test,real,truth,scripts}',
  'cli',
  'ui',
  'scripts',
);
const cases = (pick: (rule: Rule) => Rule['wrong']) =>
  rules.flatMap((rule) => pick(rule).map(([path, code]) => ({ rule, path, code, sentence: rule.sentence })));

describe('the architecture', () => {
  it.each(rules)('holds: $sentence', (rule) => {
    expect(files.some(({ path }) => rule.covers(path))).toBe(true);
    expect(faultsOf(rule, files)).toEqual([]);
  });

  it.each(rules.filter(({ except }) => except))('uses every exception: $sentence', (rule) => {
    const idle = rule.except?.filter((path) =>
      files.every((file) => file.path !== path || rule.breaches(file).length === 0),
    );
    expect(idle).toEqual([]);
  });
});

describe('a rule of the architecture', () => {
  it.each(cases(({ wrong }) => wrong))('finds fault with $path: $code', ({ rule, path, code }) => {
    expect(faultsOf(rule, [sourceFile(path, code)])).not.toEqual([]);
  });

  it.each(cases(({ fine = [] }) => fine))('lets $path do $code', ({ rule, path, code }) => {
    expect(faultsOf(rule, [sourceFile(path, code)])).toEqual([]);
  });

  it('reads no comment', () => {
    const commented = sourceFile('shared/groups/a.ts', '// not Date.now()\n/* nor new Date() */\nexport {};');
    expect(rules.flatMap((rule) => faultsOf(rule, [commented]))).toEqual([]);
  });
});
