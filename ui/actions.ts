import type { Action } from './parts/doing.ts';

/** What came of a button. */
export interface Answer {
  readonly ok: boolean;
  readonly words: string;
}

/** Does what a button asks for in the cluster that was shown with it, which the server compares with its own, and says what came of it. */
export async function act(action: Action, cluster: string): Promise<Answer> {
  try {
    const response = await fetch('api/actions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...action, cluster }),
    });
    const answer = (await response.json()) as { readonly done?: string; readonly detail?: string };
    return response.ok ? { ok: true, words: answer.done ?? '' } : { ok: false, words: answer.detail ?? '' };
  } catch (error) {
    return { ok: false, words: `The sandbox did not answer: ${String(error)}` };
  }
}

/** Puts text on the clipboard. */
export async function copyText(text: string): Promise<Answer> {
  try {
    await navigator.clipboard.writeText(text);
    return { ok: true, words: `Copied: ${text}` };
  } catch (error) {
    return {
      ok: false,
      words: `the browser does not let the page copy (${String(error)}). The text is: ${text}`,
    };
  }
}
