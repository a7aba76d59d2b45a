/** Tenants that are looked up at a time. */
const ROUND = 50;

interface Row {
  tenant_id: number;
}

/** Hands out one due row of each tenant, tenant after tenant, and no second row of a tenant while one is being worked on. */
export function createDueRows<Due extends Row>(
  findDue: (without: number[], limit: number) => Promise<Due[]>,
) {
  const served = new Set<number>();
  let round: Due[] = [];
  let filling: Promise<void> | undefined;

  const fill = async () => {
    round = await findDue([...served], ROUND);
  };

  return {
    /** The next tenant's row; undefined where no tenant that nobody serves has any due. */
    async take(): Promise<Due | undefined> {
      if (round.length === 0) {
        // Together: two that look at the same moment would find the same rows.
        filling ??= fill().finally(() => {
          filling = undefined;
        });
        await filling;
      }
      const row = round.shift();
      if (row) served.add(row.tenant_id);
      return row;
    },
    /** Its tenant may have another turn. */
    giveBack(row: Due) {
      served.delete(row.tenant_id);
    },
  };
}
