// @vitest-environment jsdom
import { h, render } from 'preact';
import { act as during } from 'preact/test-utils';
import { afterEach, expect, it, vi } from 'vitest';
import { App } from '../../ui/app.tsx';
import { state } from './states.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

it('kills in the cluster that was shown with the question, also if the page shows another one when it is answered', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', (_: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body));
    return Promise.resolve(Response.json({ detail: 'load the page again' }, { status: 409 }));
  });
  HTMLDialogElement.prototype.showModal = () => undefined;
  HTMLDialogElement.prototype.close = () => undefined;
  const root = document.createElement('div');
  document.body.append(root);
  const show = (clusterName: string): Promise<void> =>
    during(() =>
      render(
        h(App, { state: state({ clusterName }), connection: 'live', isReading: false, changes: [] }),
        root,
      ),
    );
  const press = (selector: string, words: string): Promise<void> =>
    during(async () => {
      const found = [...root.querySelectorAll<HTMLButtonElement>(selector)].find((one) =>
        one.textContent?.startsWith(words),
      );
      if (!found) throw new Error(`no button ${words}`);
      found.click();
      await new Promise((resolve) => setTimeout(resolve));
    });
  await show('prod');
  await press('main button', 'Kill');
  await show('staging');
  await press('dialog .danger', 'Kill');
  expect(sent).toEqual([{ action: 'kill', instanceId: expect.stringMatching(/^i-/), cluster: 'prod' }]);
  expect(root.querySelector('.answer')?.textContent).toBe('load the page again');
});
