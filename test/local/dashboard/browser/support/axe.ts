import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const script = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

// Details of what passes are not read, and take most of the time on a long page.
const run = 'axe.run(document, { resultTypes: ["violations"] })';

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What axe finds, each as one line. */
export async function axeViolations(page: Page): Promise<readonly string[]> {
  const has = await page.evaluate<boolean>('"axe" in window');
  // Through the debugger: the policy of the page allows no script of others.
  if (!has) await page.evaluate(readFileSync(script, 'utf8'));
  const { violations } = await page.evaluate<{ violations: readonly Violation[] }>(run);
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary ?? ''}`);
}
