import { isPending } from '../../shared/certificates/certificate-request.ts';
import type { CliContext } from '../context.ts';
import { jsonText } from '../json-text.ts';
import { printListing } from '../listing/print.ts';
import type { TableView } from '../table/column.ts';
import type { CsrFlags, ListFlags } from './flags.ts';
import { certificatesOf, judgeAll, requestNamed } from './judged.ts';
import { explanation, requestJson, requestsText } from './text.ts';

/** Lists the pending requests, or all of them, with their verdicts. */
export async function listRequests(flags: ListFlags, context: CliContext): Promise<void> {
  const judged = await judgeAll(await certificatesOf(flags, context));
  const shown = flags.all ? judged : judged.filter(({ request }) => isPending(request));
  const listing = {
    data: shown.map(requestJson),
    names: shown.map(({ request }) => request.name),
    text: (view: TableView) => requestsText(shown, context.clock.now(), view),
  };
  await printListing(listing, flags, context);
}

/** Shows one request, and what Drover thinks of it. */
export async function explainRequest(name: string, flags: CsrFlags, context: CliContext): Promise<void> {
  const judged = requestNamed(name, await judgeAll(await certificatesOf(flags, context)));
  context.stdout.write(flags.json ? jsonText(requestJson(judged)) : explanation(judged, context.clock.now()));
}
