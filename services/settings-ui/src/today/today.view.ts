import { bookabilityNotice } from '../business/bookability.view.ts';
import { BOOKING } from '../records/booking-query.rules.ts';
import { dateBeside, dayAddress } from '../records/day-query.rules.ts';
import { dateIn, longDate } from '../region/dates.rules.ts';
import { countText, plural } from '../region/words.rules.ts';
import { errorMessage, postForm } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import { TODAY } from '../ui/navigation.rules.ts';
import { toast } from '../ui/notice.view.ts';
import { NOTICES, type Notice } from '../ui/notices.rules.ts';
import type { PageContext } from '../ui/page-context.ts';
import { canChange } from '../ui/page-scopes.rules.ts';
import { agendaCard, markUndo } from './agenda.view.ts';
import { attentionCard, problemsOf } from './attention.view.ts';
import { callBacksCard, callBackUndo } from './call-backs.view.ts';
import { firstStepsCard } from './first-steps.view.ts';
import type { LoadedToday, ShownToday } from './load-today.ts';
import { agendaOf } from './today.rules.ts';

/** What has been done on the page just now, and to which record. */
interface JustDone {
  notice: Notice;
  id: number | null;
}

interface AnsweredToday extends LoadedToday {
  done: JustDone | null;
  /** What was wrong with a change. */
  refusal: string | undefined;
}

/** All buttons send the page's one form, so the live part carries no CSRF token. */
export function todayPage(context: PageContext, page: AnsweredToday): string {
  const { bookability, firstSteps, done } = page;
  const canBook = canChange(context, BOOKING);
  // A business without services has that among its first steps.
  const isNamedByStep = firstSteps !== null && bookability?.obstacle === 'no_services';
  const isNothingBookable = bookability !== null && bookability.obstacle !== null;
  return layout(
    { ...context, notice: null },
    {
      title: 'Today',
      at: TODAY,
      action: canBook && html`<a class="button primary" href="${BOOKING}">Book</a>`,
      body: html`${errorMessage(page.refusal)}${done && doneToast(context, done, page)}
${postForm(context, {
  action: TODAY,
  id: 'desk',
  body: html`<input type="hidden" name="return_to" value="today">`,
})}
${firstSteps && firstStepsCard(firstSteps)}
${isNothingBookable && !isNamedByStep && bookabilityNotice(context, bookability)}
<p class="for-reader" role="status" id="live-news"></p>
<div class="today" data-live="${TODAY}/live">${todayBody(context, page)}</div>
${!isNothingBookable && bookabilityNotice(context, bookability)}`,
    },
  );
}

/** All that changes by itself. */
export function todayBody(context: PageContext, shown: ShownToday): Html {
  return html`${summary(context, shown)}
${agendaCard(context, shown)}
<div class="aside">${callBacksCard(context, shown)}${attentionCard(context, shown)}</div>`;
}

/** The day in one line, with the way to what else there is to do. */
function summary(context: PageContext, shown: ShownToday): Html {
  const { region, day, now, callBacks } = shown;
  const date = day?.date ?? dateIn(region.zone, now);
  const toCall = callBacks?.open_total ?? 0;
  const problems = problemsOf(context, shown).length;
  const coming = day && plural(region, agendaOf(day, now).coming.length, 'appointment');
  const tomorrow = dayAddress({ date: dateBeside(date, 1) ?? date, cancelled: undefined });
  const news = [coming && `${coming} to come`, toCall > 0 && `${countText(region, toCall)} to call back`];
  return html`<p class="lead" data-news="${news.filter(Boolean).join(', ')}">
<time datetime="${date}">${longDate(region, date)}</time> <a class="tomorrow" href="${tomorrow}">Tomorrow</a>${
    toCall > 0 && html` <a class="badge bad" href="#call-backs">${countText(region, toCall)} to call back</a>`
  }${
    problems > 0 &&
    html` <a class="badge waiting" href="#attention">${plural(region, problems, 'problem')}</a>`
  }</p>`;
}

/** What has been done, at the end of the window, with the way back. */
function doneToast(context: PageContext, { notice: done, id }: JustDone, page: LoadedToday): Html {
  const undoOf = done === 'called-back' ? callBackUndo : markUndoOf;
  const undo = id !== null && undoOf(context, page, id);
  return toast(NOTICES[done], undo);
}

function markUndoOf(context: PageContext, page: LoadedToday, id: number): Html | false {
  const appointment = page.day?.columns.flatMap((column) => column.appointments).find((one) => one.id === id);
  return appointment !== undefined && markUndo(context, page, appointment);
}
