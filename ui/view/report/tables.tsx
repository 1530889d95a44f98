import { memo } from '../../parts/memo.ts';
import type { ReportSection, ReportTable, ReportView } from '../../state/report.ts';

/** The parts of a report, and what they cover. */
export const ReportTables = memo(({ report }: { readonly report: ReportView }) => (
  <>
    {report.sections.map((section) => (
      <Section key={section.title} section={section} />
    ))}
    <div class="report-part">
      <h3>What this covers</h3>
      <ul>
        {report.covers.map((one) => (
          <li key={one} class="quiet">
            {one}
          </li>
        ))}
        {report.missing.map((one) => (
          <li key={one} class="lacks">
            <strong>missing:</strong> {one}
          </li>
        ))}
      </ul>
    </div>
  </>
));

function Section({ section: { title, unknown, tables } }: { readonly section: ReportSection }) {
  return (
    <div class="report-part">
      <h3>{title}</h3>
      {unknown !== undefined && (
        <p class="lacks">
          <strong>not known:</strong> {unknown}
        </p>
      )}
      {tables.map((table) => (
        <Table key={table.head.join()} table={table} label={`${title}, by ${table.head[0]}`} />
      ))}
    </div>
  );
}

function Table({
  table: { head, rows, more = 0, sentences },
  label,
}: {
  readonly table: ReportTable;
  readonly label: string;
}) {
  return (
    <>
      {rows.length === 0 ? (
        <p class="quiet">none</p>
      ) : (
        // With the keyboard, a table that is wider than the screen is scrolled by the arrow keys.
        <div class="scrolls" role="region" aria-label={label} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {head.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((cells, index) => (
                <tr key={index}>
                  {cells.map((cell, column) =>
                    column === 0 ? (
                      <th key={column} scope="row">
                        {cell}
                      </th>
                    ) : (
                      <td
                        key={column}
                        data-number={isNumber(cell) ? '' : undefined}
                        data-short={cell.length <= longestInLine ? '' : undefined}
                      >
                        {cell}
                      </td>
                    ),
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {more > 0 && <p class="quiet">and {more.toLocaleString('en')} more: the files have all</p>}
      {sentences.map((one) => (
        <p key={one}>{one}</p>
      ))}
    </>
  );
}

/** A time, or the result of a hold; reasons are longer. */
const longestInLine = 24;

const isNumber = (cell: string): boolean => /^(?:-|[\d.,]+)$/.test(cell);
