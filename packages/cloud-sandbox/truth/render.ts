import type { Finding } from './claim.ts';

/**
 * The tables of docs/truth.md, one for each area: a row for each behaviour, a column for each world. Behaviours that passed in the
 * only world that was asked are counted, not listed. Markdown.
 */
export function render(findings: readonly Finding[]): string {
  const areas = distinct(findings.map(({ area }) => area));
  const chapters = areas.map((area) =>
    chapter(
      area,
      findings.filter((one) => one.area === area),
    ),
  );
  return [summary(findings), ...chapters].join('\n\n');
}

const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)].toSorted();

/** The sandbox first: the others are there to confirm it. */
const worldsOf = (findings: readonly Finding[]): readonly string[] =>
  distinct(findings.map(({ world }) => world)).toSorted(
    (a, b) => Number(b === 'sandbox') - Number(a === 'sandbox'),
  );

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const escaped = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function summary(findings: readonly Finding[]): string {
  const rows = distinct(findings.map(({ area }) => area)).flatMap((area) => {
    const ofArea = findings.filter((one) => one.area === area);
    return worldsOf(ofArea).map((world) => {
      const count = (verdict: Finding['verdict']): string =>
        String(ofArea.filter((one) => one.world === world && one.verdict === verdict).length);
      return [area, world, count('pass'), count('differs'), count('not applicable'), count('fail')];
    });
  });
  return table(['area', 'world', 'pass', 'known difference', 'not applicable', 'fail'], rows);
}

function chapter(area: string, findings: readonly Finding[]): string {
  const shown = findings.filter((one) => one.verdict !== 'pass' || isCompared(one, findings));
  const counts = worldsOf(findings).flatMap((world) => {
    const count = findings.filter((one) => one.world === world && !shown.includes(one)).length;
    return count === 0
      ? []
      : `Counted, not listed: ${count} that passed in ${world}, the only world that was asked.`;
  });
  const parts = [`## ${area}`, ...(counts.length > 0 ? [counts.join(' ')] : []), ...tableOf(shown)];
  return parts.join('\n\n');
}

const isCompared = ({ behaviour, world }: Finding, findings: readonly Finding[]): boolean =>
  findings.some((other) => other.behaviour === behaviour && other.world !== world);

function tableOf(findings: readonly Finding[]): readonly string[] {
  if (findings.length === 0) return [];
  const worlds = worldsOf(findings);
  const notes: string[] = [];
  const noteOf = (why: string): string => {
    if (!notes.includes(why)) notes.push(why);
    return String(notes.indexOf(why) + 1);
  };
  const cell = (behaviour: string, world: string): string => {
    const found = findings.find((one) => one.behaviour === behaviour && one.world === world);
    if (found === undefined) return '';
    const { verdict, why } = found;
    if (verdict === 'differs') return `differs (${noteOf(why ?? '')})`;
    if (verdict === 'not applicable') return `n/a (${noteOf(why ?? '')})`;
    return verdict;
  };
  const rows = distinct(findings.map(({ behaviour }) => behaviour)).map((behaviour) => [
    escaped(behaviour),
    ...worlds.map((world) => cell(behaviour, world)),
  ]);
  const list = notes.map((note, index) => `${index + 1}. ${escaped(note)}`);
  return [table(['behaviour', ...worlds], rows), ...(list.length > 0 ? [list.join('\n')] : [])];
}
