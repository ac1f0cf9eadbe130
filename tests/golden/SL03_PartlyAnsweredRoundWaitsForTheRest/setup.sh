git -c user.name=a -c user.email=a@localhost commit -q --allow-empty -m start
git branch 005-tide-alarm
